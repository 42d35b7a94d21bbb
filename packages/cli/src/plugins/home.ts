import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@oclif/core/interfaces'

/** A package that the user added, as the framework (and its own plugin for plugins) keeps it in `<data folder>/package.json`. */
export type Kept =
  | { name: string; type: 'user'; tag?: string; url?: string }
  | { name: string; type: 'link'; root: string }

interface HomeJson {
  name?: string
  private?: true
  dependencies?: Record<string, string>
  oclif?: { schema?: number; plugins?: (Kept | string)[] }
}

const pathOf = (config: Config): string => join(config.dataDir, 'package.json')

function read(config: Config): HomeJson {
  try {
    return JSON.parse(readFileSync(pathOf(config), 'utf8')) as HomeJson
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** The packages that the user installed or linked. */
export const kept = (config: Config): Kept[] => (read(config).oclif?.plugins ?? []).map((item) => (typeof item === 'string' ? { name: item, type: 'user', tag: 'latest' } : item))

/** Makes the data folder a place for npm to install into. */
export function prepareHome(config: Config): void {
  keep(config, (list) => list)
}

/** Changes what is kept. */
export function keep(config: Config, change: (list: Kept[]) => Kept[]): void {
  const json = read(config)
  const plugins = change(kept(config))
  mkdirSync(config.dataDir, { recursive: true })
  const temporary = `${pathOf(config)}.${process.pid}`
  writeFileSync(temporary, JSON.stringify({ name: config.name, private: true, ...json, oclif: { schema: 1, ...json.oclif, plugins } }, null, 2))
  renameSync(temporary, pathOf(config))
}
