import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AiperfError, type JsonObject } from '@aiperf/core'

const IN_DIRECTORY = '.aiperf-plot-config.yaml'

export interface PlotConfigFile {
  path: string
  content: JsonObject
}

/** The config file: the one that was named, one beside the runs, or the user's own. None is needed, and none is written. */
export async function findConfig(named: string | undefined, paths: readonly string[]): Promise<PlotConfigFile | undefined> {
  const candidates = named !== undefined ? [named] : [...paths.map((path) => join(path, IN_DIRECTORY)), join(homedir(), '.aiperf', 'plot_config.yaml')]
  const path = candidates.find((candidate) => existsSync(candidate))
  if (path === undefined) {
    if (named === undefined) return undefined
    throw new AiperfError('E_INPUT_FILE', `--config: ${named} does not exist.`)
  }
  const { parse } = await import('yaml')
  try {
    const content: unknown = parse(readFileSync(path, 'utf8'))
    if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new Error('it holds no mapping')
    return { path, content: content as JsonObject }
  } catch (cause) {
    throw new AiperfError('E_CONFIG', `The plot config ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}
