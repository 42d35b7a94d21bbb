import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { buildIndex, type Origin, type PackageSource, type PluginIndex } from '@aiperf/core/host'
import type { Config } from '@oclif/core/interfaces'

/** What is installed: the packages the program brings, and those the user linked or installed. */
export function installedPlugins(config: Config): PluginIndex {
  const sources: PackageSource[] = []
  const bundle = basename(config.root) === 'bundle'
  const seen = new Set<string>()
  const add = (directory: string, origin: Origin) => {
    if (seen.has(directory)) return
    seen.add(directory)
    // A program that runs from its bundle takes those of the packages it brings.
    sources.push({ directory, origin, bundle: bundle && origin === 'bundled' })
  }
  const require = createRequire(join(config.root, 'package.json'))
  const addBundled = (name: string): void => {
    try {
      add(dirname(require.resolve(`${name}/package.json`)), 'bundled')
    } catch {
      // Not installed: it offers nothing.
    }
  }
  const { plugins = [], aiperfPlugins = [] } = config.pjson.oclif as { plugins?: string[]; aiperfPlugins?: string[] }
  // Of the program's bundle: packages that the framework is not told of, for they bring no commands.
  aiperfPlugins.forEach(addBundled)
  const origins: Record<string, Origin> = { link: 'linked', user: 'installed' }
  for (const plugin of config.getPluginsList()) if (plugin.root !== config.root) add(plugin.root, origins[plugin.type] ?? 'bundled')
  // The framework drops a bundled package when the user installed one of the same name, were it older; we compare.
  for (const name of plugins) if (config.plugins.get(name)?.type !== 'core') addBundled(name)
  return buildIndex(sources)
}
