import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { buildIndex, type Origin, type PackageSource, type PluginIndex } from '@aiperf/core/host'
import type { Config } from '@oclif/core/interfaces'
import type { Kept } from './plugins/home.js'
import { readPolicies, refusal, type Policy } from './plugins/policy.js'

/** Where the program and its packages are: a part of the framework's view. */
export type Home = Pick<Config, 'root' | 'pjson' | 'dataDir' | 'configDir' | 'plugins' | 'getPluginsList'>

/**
 * What is installed: the packages the program brings, and those the user linked or installed; with `now`, those in place of
 * the ones that were there when the program started.
 */
export function installedPlugins(config: Home, now?: readonly Kept[]): PluginIndex {
  const sources: (PackageSource & { name: string })[] = []
  let policies: Policy[] | undefined
  const bundle = basename(config.root) === 'bundle'
  const seen = new Set<string>()
  const add = (directory: string, origin: Origin, name: string) => {
    if (seen.has(directory)) return
    seen.add(directory)
    const refused = origin === 'bundled' ? undefined : refusal((policies ??= readPolicies(config)), name)
    // A program that runs from its bundle takes those of the packages it brings.
    sources.push({ name, directory, origin, bundle: bundle && origin === 'bundled', ...(refused === undefined ? {} : { refused }) })
  }
  // Where Node would look, without reading package.json twice. One that is not there is not installed: it offers nothing.
  const places = createRequire(join(config.root, 'package.json')).resolve.paths('x') ?? []
  const addBundled = (name: string): void => {
    const place = places.find((folder) => existsSync(join(folder, name, 'package.json')))
    if (place) add(realpathSync(join(place, name)), 'bundled', name)
  }
  const { plugins = [], aiperfPlugins = [] } = config.pjson.oclif as { plugins?: string[]; aiperfPlugins?: string[] }
  // Of the program's bundle: packages that the framework is not told of, for they bring no commands.
  aiperfPlugins.forEach(addBundled)
  const origins: Record<string, Origin> = { link: 'linked', user: 'installed' }
  for (const { root, type, name } of config.getPluginsList()) if (root !== config.root && (!now || !(type in origins))) add(root, origins[type] ?? 'bundled', name)
  for (const item of now ?? []) add(item.type === 'link' ? item.root : join(config.dataDir, 'node_modules', item.name), item.type === 'link' ? 'linked' : 'installed', item.name)
  // The framework drops a bundled package when the user installed one of the same name, were it older; we compare.
  for (const name of plugins) if (config.plugins.get(name)?.type !== 'core') addBundled(name)
  // The framework finds them in any order; what is listed and loaded has the same one each time.
  return buildIndex(sources.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
}
