import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Home } from './installed.js'

/**
 * What the framework would say of an installation to which nobody has added a package, had without loading the framework: a
 * tenth of the time from launch to the first request. Undefined when only the framework can tell: packages were added, or
 * the program does not run from its bundle.
 */
export function quickHome(root: string): Home | undefined {
  if (process.platform === 'win32') return undefined
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Home['pjson']
  if (!('aiperfPlugins' in pjson.oclif)) return undefined
  const folder = (category: string, below: string): string =>
    process.env[`AIPERF_${category}_DIR`] || join(process.env[`XDG_${category}_HOME`] || join(process.env['HOME'] || homedir(), below), 'aiperf')
  const dataDir = folder('DATA', '.local/share')
  if (addedPackages(join(dataDir, 'package.json'))) return undefined
  return { root, pjson, dataDir, configDir: folder('CONFIG', '.config'), plugins: new Map(), getPluginsList: () => [] }
}

function addedPackages(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    const { oclif } = JSON.parse(readFileSync(path, 'utf8')) as { oclif?: { plugins?: unknown[] } }
    return (oclif?.plugins?.length ?? 0) > 0
  } catch {
    // The framework tells what is wrong with it.
    return true
  }
}
