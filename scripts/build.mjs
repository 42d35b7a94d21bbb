// Builds every package: TypeScript first (incremental, in the order of the references), then what is made from it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.mjs'
import { examplePackages, isMain, root, workspacePackages } from './packages.mjs'
import { run, tool } from './run.mjs'

/** Exit code 0 when everything is built. */
export async function build() {
  const packages = [...workspacePackages(), ...examplePackages()]
  const projects = packages.map((p) => p.directory).filter((directory) => existsSync(join(directory, 'tsconfig.json')))
  const compiled = await tool('typescript', ['-b', ...projects], {}, 'tsc')
  // What is generated is read from built modules, so it comes after the compiler even when that complained.
  const core = join(root, 'packages/core')
  let generated = 0
  for (const { directory } of packages) {
    const script = join(directory, 'scripts/generate.mjs')
    if (existsSync(script)) generated ||= await run(process.execPath, [script])
  }
  const plugins = packages.filter((p) => p.manifest.aiperf).map((p) => p.directory)
  const described = plugins.length === 0 ? 0 : await run(process.execPath, [join(core, 'bin/aiperf-manifest.js'), ...plugins])
  const commands = existsSync(join(root, 'packages/cli/dist/commands')) ? await run(process.execPath, [join(root, 'packages/cli/scripts/command-manifest.mjs')]) : 0
  const bundled = await bundle()
  return compiled || generated || described || commands || bundled
}

if (isMain(import.meta)) process.exit(await build())
