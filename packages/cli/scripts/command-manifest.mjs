// Writes oclif.manifest.json: the commands as data, so that the program starts without loading them.
import { createRequire } from 'node:module'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const file = join(root, 'oclif.manifest.json')
const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const commands = join(root, 'dist/commands')
const sources = [
  join(root, 'package.json'),
  import.meta.filename,
  createRequire(import.meta.url).resolve('@aiperf/mock-server'),
  ...readdirSync(commands, { recursive: true }).map((name) => join(commands, name)),
]
if (sources.some((source) => modified(source) > modified(file))) {
  const { Plugin } = createRequire(import.meta.url)('@oclif/core')
  const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true, type: 'core', name: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name })
  await plugin.load()
  writeFileSync(file, `${JSON.stringify(plugin.manifest, null, 1)}\n`)
}
