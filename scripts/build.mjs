// Builds every package: TypeScript first (incremental, in the order of the references), then what is made from it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root, workspacePackages } from './packages.mjs'
import { run, tool } from './run.mjs'

/** Exit code 0 when everything is built. */
export async function build() {
  const packages = workspacePackages()
  const projects = packages.map((p) => p.directory).filter((directory) => existsSync(join(directory, 'tsconfig.json')))
  const compiled = await tool('typescript', ['-b', ...projects], {}, 'tsc')
  // Contribution manifests are read from built modules, so they come after the compiler even when it complained.
  const manifests = join(root, 'packages/core/dist/manifest/bin.js')
  const described = existsSync(manifests)
    ? await run(process.execPath, [manifests, ...packages.filter((p) => p.manifest.aiperf).map((p) => p.directory)])
    : 0
  return compiled || described
}

if (isMain(import.meta)) process.exit(await build())
