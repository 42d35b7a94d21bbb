// Plugins of the release before with the core of now: a user upgrades the program and keeps what he installed. For each
// bundled plugin the newest published version below the one here is installed from the registry, linked in the place of the
// bundled one, loaded, checked, and used in a run against the mock server.
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isMain, root, workspacePackages } from './packages.mjs'

const run = promisify(execFile)
const aiperf = join(root, 'packages/cli/bin/run.js')
const windows = process.platform === 'win32'
const npm = (args, cwd) => run(windows ? 'npm.cmd' : 'npm', args, { cwd, shell: windows, maxBuffer: 1e8 })

const numbers = (version) => version.split('-')[0].split('.').map(Number)
const below = (a, b) => numbers(a).reduce((sign, n, i) => sign || n - numbers(b)[i], 0) < 0

/** The newest release of a package before a version; undefined when there is none. */
async function releaseBefore(registry, name, version) {
  const response = await fetch(new URL(name.replace('/', '%2f'), registry), { headers: { accept: 'application/vnd.npm.install-v1+json' } })
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${registry} answered ${response.status} to the question for ${name}`)
  const versions = Object.keys((await response.json()).versions).filter((candidate) => !candidate.includes('-') && below(candidate, version))
  return versions.reduce((newest, candidate) => (newest === undefined || below(newest, candidate) ? candidate : newest), undefined)
}

/** 0 when every plugin of the release before works, or there is none. */
export async function compatibility() {
  const folder = mkdtempSync(join(tmpdir(), 'aiperf-compatibility-'))
  try {
    const bundled = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')).oclif.plugins
    const registry = (await npm(['config', 'get', 'registry'], folder)).stdout.trim()
    const earlier = []
    for (const { manifest } of workspacePackages().filter((p) => bundled.includes(p.manifest.name) && p.manifest.aiperf)) {
      const version = await releaseBefore(registry, manifest.name, manifest.version)
      if (version) earlier.push({ name: manifest.name, version })
    }
    if (earlier.length === 0) return console.log('No plugin was released before: nothing to be compatible with.'), 0
    console.log(`With the core of now: ${earlier.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', ...earlier.map(({ name, version }) => `${name}@${version}`)], folder)
    return await use(folder, earlier)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function use(folder, earlier) {
  const env = { ...process.env, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config'), XDG_CACHE_HOME: join(folder, 'cache'), LOCALAPPDATA: join(folder, 'data') }
  mkdirSync(join(folder, 'data/aiperf'), { recursive: true })
  writeFileSync(join(folder, 'data/aiperf/package.json'), JSON.stringify({ name: 'aiperf', private: true, oclif: { schema: 1, plugins: earlier.map(({ name }) => ({ name, type: 'link', root: join(folder, 'node_modules', name) })) } }))
  let broken = 0
  for (const { name } of earlier) {
    const { stdout } = await run(process.execPath, [aiperf, 'plugins', 'doctor', name, '--json'], { env, maxBuffer: 1e8 }).catch((error) => error)
    for (const { message } of JSON.parse(stdout).filter(({ level }) => level === 'fail')) {
      broken++
      console.error(`${name}: ${message}`)
    }
  }

  const server = spawn(process.execPath, [aiperf, 'mock-server', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'], env })
  try {
    const url = await new Promise((resolve, reject) => {
      createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line).url))
      server.once('exit', (code) => reject(new Error(`the mock server ended with code ${code}`)))
    })
    const out = join(folder, 'run')
    await run(process.execPath, [aiperf, 'profile', '--model', 'm', '--url', url, '--streaming', '--tokenizer', 'builtin', '--isl', '16', '--osl', '8', '--request-rate', '50', '--request-count', '20', '--ui', 'simple', '--artifact-dir', out], { env })
    const { plugins } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
    const used = earlier.filter(({ name, version }) => plugins.some((p) => p.package === name && p.version === version))
    console.log(`A run of 20 requests used ${used.map(({ name }) => name).join(', ') || 'none of them'}.`)
  } catch (error) {
    console.error(`The run failed: ${error.stderr ?? error.message}`)
    return 1
  } finally {
    server.kill()
  }
  return broken === 0 ? 0 : 1
}

if (isMain(import.meta)) process.exit(await compatibility())
