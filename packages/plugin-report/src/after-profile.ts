import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { AiperfError, type Json, type JsonObject } from '@aiperf/core'
import type { PlotConfigFile } from './plot/config-file.js'
import type { ReadContext } from './runs/read.js'
import { list, object } from './runs/facts.js'

export interface AfterProfile {
  /** Folder of the run, or of all runs together. */
  directory: string
  /** It holds the runs of a sweep, a search or repeated runs. */
  several: boolean
  /** Options of the exporter `report`, as the run has them. */
  options: JsonObject
  /** What a search recipe wishes when nothing was said. */
  wished: boolean
  /** The `plot` section of the run's config file, and the name of that file: it asks for plots too. */
  plot?: { file: string; section: Json }
}

/** Requests of all runs up to which their report is made without being asked for. */
const MOST_FOR_AUTO = 100_000

/**
 * What is made when everything has ended: the report of several runs (a single run's is among its files), and plots where
 * they are asked for. Faults are returned: results were written, and none of this may hide them.
 */
export async function afterProfile({ directory, several, options, wished, plot }: AfterProfile, context: ReadContext): Promise<{ files: string[]; failures: AiperfError[] }> {
  const files: string[] = []
  const failures: AiperfError[] = []
  const required = options['plotRequired'] === true
  const attempt = async (what: string, serious: boolean, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (cause) {
      const message = `${what}: ${(cause as Error).message}`
      if (serious) failures.push(new AiperfError('E_EXPORT', message, { cause }))
      else context.warn(message)
    }
  }
  if (several && (options['report'] === 'always' || (options['report'] !== 'never' && requestsBelow(directory) <= MOST_FOR_AUTO)))
    await attempt('No report was written', false, async () => {
      const { writeReport } = await import('./report/command.js')
      files.push(relative(directory, (await writeReport({ paths: [directory] }, context)).file))
    })
  const asked = options['autoPlot'] ?? (plot !== undefined || wished)
  if (asked === true)
    await attempt('Plots could not be drawn', required, async () => {
      const { plotRuns } = await import('./plot/command.js')
      const { PLOT_DEFAULTS } = await import('./plot/defaults.js')
      const drawn = await plotRuns({ ...PLOT_DEFAULTS, paths: [directory], output: join(directory, 'plots'), ...(plot ? { plan: await planOf(plot) } : {}) }, context)
      files.push(...drawn.files.map((file) => relative(directory, file)))
      const [first] = drawn.failed
      if (first) throw first
      if (drawn.files.length === 0) throw new Error(`nothing to draw: ${drawn.skipped.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`)
    })
  return { files, failures }
}

/** The section itself, or the file that it names, relative to its own. */
async function planOf({ file, section }: { file: string; section: Json }): Promise<PlotConfigFile> {
  if (typeof section !== 'string') return { path: file, content: object(section) }
  const { findConfig } = await import('./plot/config-file.js')
  return (await findConfig(resolve(dirname(file), section), []))!
}

/** Requests of the runs below a folder, as their manifests count them. */
function requestsBelow(directory: string): number {
  const path = join(directory, 'journal', 'manifest.json')
  if (existsSync(path)) {
    try {
      const manifest = object(JSON.parse(readFileSync(path, 'utf8')))
      return list(manifest['phases']).reduce((sum, phase) => sum + Number(object(phase['counts'])['completed'] ?? 0), 0)
    } catch {
      return 0
    }
  }
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => (entry.isDirectory() ? sum + requestsBelow(join(directory, entry.name)) : sum), 0)
}
