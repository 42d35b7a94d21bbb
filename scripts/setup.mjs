// Makes a checkout ready to run: dependencies as the lockfile says, then the build. Quick when nothing changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { isMain, root, workspacePackages } from './packages.mjs'
import { npx } from './run.mjs'

const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const stampFile = join(root, '.setup-stamp')

/** What decides which dependencies are installed: the lockfile and the dependency lists of every package. */
function stamp() {
  const hash = createHash('sha256').update(process.version.split('.')[0])
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', '.npmrc']) hash.update(readFileSync(join(root, name)))
  for (const { folder, manifest } of workspacePackages()) {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies, bin } = manifest
    hash.update(JSON.stringify([folder, dependencies, devDependencies, peerDependencies, optionalDependencies, bin]))
  }
  return hash.digest('hex')
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Node ${engines.node} is needed, this is ${process.version}. Install a current release from https://nodejs.org.`)
  process.exit(1)
}

/** Exit code 0 when everything is installed and built. */
export async function setUp() {
  requireNode()
  const wanted = stamp()
  const installed = existsSync(stampFile) && existsSync(join(root, 'node_modules')) ? readFileSync(stampFile, 'utf8') : ''
  if (installed !== wanted) {
    const code = await npx(['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], { stdio: ['ignore', 'inherit', 'inherit'] })
    if (code !== 0) {
      console.error(`Installing the dependencies failed (exit code ${code}); see the lines above.`)
      process.exit(code)
    }
    writeFileSync(stampFile, wanted)
  }
  return build()
}

if (isMain(import.meta)) process.exit(await setUp())
