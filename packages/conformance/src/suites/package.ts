import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { ensure, group, shown, type Group } from '../checks.js'

interface PackageJson {
  name?: string
  version?: string
  description?: string
  license?: string
  type?: string
  files?: string[]
  oclif?: object
  engines?: { node?: string }
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
const MANIFEST = 'aiperf.manifest.json'
/** What a plugin may import of ours: the contracts. Everything else changes without notice. */
const PUBLIC = new Set(['@aiperf/core', '@aiperf/exposition'])
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** What a package must say of itself to be found, installed and trusted. */
export function packageSuite(directory: string, index: PluginIndex): Group {
  const read = (): PackageJson => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson
  return group('package', {
    'is one that AIPerf can read': () => {
      ensure(index.packages.length === 1, `${directory} is no AIPerf plugin: its package.json has no "aiperf" key`)
      const [found] = index.packages
      ensure(!found!.problem, `${found!.problem}`)
      ensure(found!.api === API_VERSION, `"aiperf.api" is ${found!.api}, expected ${API_VERSION}`)
      ensure(index.contributions.length > 0, 'it contributes nothing: "aiperf.contributes" is empty')
      for (const c of index.contributions) ensure(!c.problem, `${c.kind} ${c.name}: ${c.problem}`)
    },
    'package.json says what it has to': () => {
      const json = read()
      ensure(json.oclif, 'package.json needs "oclif": {}, by which `aiperf plugins` finds it')
      ensure(json.type === 'module', 'package.json needs "type": "module"')
      ensure(json.description && json.license, 'package.json needs description and license')
      ensure(json.engines?.node, 'package.json needs engines.node')
      ensure(json.files?.includes(MANIFEST), `"files" of package.json must hold ${MANIFEST}: without it the options are unknown once it is published`)
      for (const name of INSTALL_SCRIPTS) ensure(!json.scripts?.[name], `the script "${name}" does not run when AIPerf installs a plugin: do without it`)
    },
    'it depends on the contracts, not on the program': () => {
      const { dependencies, peerDependencies, name } = read()
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies }))
        ensure(PUBLIC.has(dependency) || !(dependency === 'aiperf' || dependency.startsWith('@aiperf/')), `${name} depends on ${dependency}: a plugin imports @aiperf/core only`)
    },
    'the manifest is that of the built modules': () => {
      const path = join(directory, MANIFEST)
      ensure(existsSync(path), `${MANIFEST} is missing: run aiperf-manifest after the build`)
      const made = statSync(path).mtimeMs
      const dist = join(directory, 'dist')
      const options = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.options.js')).map((file) => join(dist, file)) : []
      for (const file of [join(directory, 'package.json'), ...options]) ensure(statSync(file).mtimeMs <= made + 1, `${MANIFEST} is older than ${file}: run aiperf-manifest`)
    },
    'every entry is there': () => {
      for (const { kind, name, entry } of index.contributions) ensure(existsSync(entry), `${kind} ${name}: the entry ${shown(entry)} does not exist: build, and look at "files"`)
    },
  })
}
