import type { Json, JsonObject, Orchestration, RunModel } from '@aiperf/core'
import { find, type PluginIndex } from '@aiperf/core/host'
import type { ConfigFile } from '@aiperf/core/options'
import { runReader } from '../open-runs.js'
import { reportFailures } from '../report-error.js'

export interface Pictures {
  index: PluginIndex
  model: RunModel
  /** Folder of the run, or of all runs together. */
  directory: string
  orchestration?: Orchestration
  config?: ConfigFile | undefined
}

/** Reports of several runs, and plots where they are asked for. Returns what was written; a fault that counts sets the exit code. */
export async function drawPictures({ index, model, directory, orchestration, config }: Pictures): Promise<string[]> {
  const options = (model.artifacts.options['report'] ?? {}) as JsonObject
  const wished = orchestration?.points.kind === 'recipe' && find(index, 'search_recipe', orchestration.points.recipe).meta['autoPlot'] === true
  const section = config?.content['plot'] as Json | undefined
  // Nothing to do after most runs: no code is loaded for it.
  if (!orchestration && options['autoPlot'] !== true && section === undefined) return []
  const { afterProfile } = await import('@aiperf/plugin-report/after-profile')
  const { files, failures } = await afterProfile(
    { directory, several: orchestration !== undefined, options, wished, ...(section === undefined || section === null ? {} : { plot: { file: config!.name, section } }) },
    runReader(index),
  )
  reportFailures(failures)
  if (failures.length > 0) process.exitCode ||= failures[0]!.exitCode
  return files
}
