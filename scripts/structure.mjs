// What the compiler and the linter cannot see: package fields, who depends on whom, names, manifests.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { isMain, root, workspacePackages } from './packages.mjs'

/** Our packages that each package may depend on at run time: the table of ARCHITECTURE.md. */
const MAY_IMPORT = {
  core: [],
  engine: ['@aiperf/core'],
  cli: undefined, // the program brings everything together
  exposition: [], // a library, as one from the registry would be
  'plugin-gpu': ['@aiperf/core', '@aiperf/exposition'],
  'plugin-server-metrics': ['@aiperf/core', '@aiperf/exposition'],
  conformance: ['@aiperf/core', '@aiperf/engine', '@aiperf/mock-server'],
}
/** Folders that no one writes by hand. */
const MADE = new Set(['node_modules', 'dist', 'bundle', 'generated', 'templates'])
const VAGUE_NAMES = /^(utils?|helpers?|common|managers?|misc)(\.|$)/

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (MADE.has(entry.name)) continue
    const path = join(directory, entry.name)
    yield path
    if (entry.isDirectory()) yield* filesBelow(path)
  }
}

function packageProblems({ folder, directory, manifest }) {
  const problems = []
  const wanted = { license: 'Apache-2.0', type: 'module' }
  for (const [key, value] of Object.entries(wanted)) if (manifest[key] !== value) problems.push(`${key} must be ${value}`)
  if (!manifest.version || !manifest.description) problems.push('version and description are needed')
  if (manifest.engines?.node !== '>=20.19') problems.push('engines.node must be >=20.19')
  for (const script of ['build', 'test']) if (!manifest.scripts?.[script]) problems.push(`the script ${script} is missing`)
  for (const file of ['README.md', 'LICENSE']) if (!existsSync(join(directory, file))) problems.push(`${file} is missing`)

  const allowed = folder in MAY_IMPORT ? MAY_IMPORT[folder] : ['@aiperf/core']
  const ours = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => name === 'aiperf' || name.startsWith('@aiperf/'))
  for (const name of ours) if (allowed && !allowed.includes(name)) problems.push(`must not depend on ${name}`)

  for (const path of filesBelow(directory))
    if (path.endsWith('.js') && existsSync(path.replace(/\.js$/, '.ts'))) problems.push(`${relative(directory, path)}: compiled output beside its source; tests would import it`)
    else if (VAGUE_NAMES.test(basename(path))) problems.push(`${relative(directory, path)}: name it after what it does`)

  if (manifest.aiperf) {
    if (!existsSync(join(directory, 'test/conformance.test.ts'))) problems.push('a plugin runs the conformance suite: test/conformance.test.ts is missing')
    if (!manifest.oclif) problems.push('a plugin needs "oclif": {} to be found')
    const described = join(directory, 'aiperf.manifest.json')
    if (!existsSync(described)) problems.push('aiperf.manifest.json is missing: build')
    else if (statSync(described).mtimeMs < statSync(join(directory, 'package.json')).mtimeMs) problems.push('aiperf.manifest.json is older than package.json: build')
    for (const name of ['aiperf.manifest.json', 'bundle']) if (!manifest.files?.includes(name)) problems.push(`"files" must hold ${name}`)
    for (const [kind, entries] of Object.entries(manifest.aiperf.contributes ?? {}))
      for (const [name, { entry }] of Object.entries(entries))
        if (!existsSync(join(directory, entry))) problems.push(`${kind} ${name}: ${entry} does not exist`)
  }
  return problems
}

/** 0 when every package keeps the rules; prints what does not. */
export function checkStructure() {
  const rootManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  let count = 0
  const report = (where, problem) => {
    count++
    console.error(`${where}: ${problem}`)
  }
  if (rootManifest.license !== 'Apache-2.0') report('package.json', 'license must be Apache-2.0')
  for (const item of workspacePackages()) for (const problem of packageProblems(item)) report(`packages/${item.folder}`, problem)
  return count === 0 ? 0 : 1
}

if (isMain(import.meta)) process.exit(checkStructure())
