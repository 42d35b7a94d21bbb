import type { Config } from '@oclif/core/interfaces'
import { installedPlugins } from '../installed.js'
import { difference } from './changes.js'
import { keep, kept, type Kept } from './home.js'
import { npm } from './npm.js'

/** Removes packages that were installed or linked; returns what can be named no longer, or by another package. */
export async function removePlugins(config: Config, wanted: readonly Kept[]): Promise<string> {
  const before = installedPlugins(config)
  const names = wanted.filter((item) => item.type === 'user').map(({ name }) => name)
  if (names.length > 0) await npm(config, ['uninstall', ...names])
  keep(config, (list) => list.filter((item) => !wanted.some((one) => one.name === item.name && one.type === item.type)))
  return difference(before, installedPlugins(config, kept(config)))
}
