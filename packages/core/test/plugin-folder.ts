import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A plugin package in a folder of its own, as a vendor would have it on disk. */
export function pluginFolder(packageJson: object, files: Record<string, string> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'aiperf-plugin-'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ version: '1.0.0', type: 'module', oclif: {}, ...packageJson }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  return directory
}

/** A package that offers one ramp, in a module without imports. */
export function rampPlugin(name: string, ramp: string, { api = 1, moduleApi = api, version = '1.0.0', code }: { api?: number; moduleApi?: number; version?: string; code?: string } = {}): string {
  return pluginFolder(
    { name, version, aiperf: { api, contributes: { ramp: { [ramp]: { entry: './ramp.js', meta: { description: 'A curve' } } } } } },
    { 'ramp.js': code ?? `export default { kind: 'ramp', api: ${moduleApi}, create: () => ({ curve: () => ({ at: (s) => s, inverse: (p) => p, from: ${JSON.stringify(name)} }) }) }` },
  )
}
