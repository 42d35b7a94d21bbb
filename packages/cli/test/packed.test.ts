import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startMockServer } from '@aiperf/mock-server'
import { expect, test } from 'vitest'
import { rampPlugin } from '../../core/test/plugin-folder.js'
import { emptyFolder, home } from './program.js'
import { dependenciesOf } from './registry/dependencies.js'
import { startRegistry } from './registry/registry.js'
import { folderFiles, packFiles, unpackFiles } from './registry/tar.js'

const ROOT = join(import.meta.dirname, '../../..')
const WINDOWS = process.platform === 'win32'
const run = promisify(execFile)

/**
 * What a user gets: every package as it would be published, and what they need of others, in a registry; installed by npm into
 * an empty folder that knows nothing of this repository.
 */
test('aiperf, packed and installed from a registry, is whole: help, plugins, a run, its files, a picture, a new plugin', async () => {
  const folder = emptyFolder()
  const { pack } = (await import(pathToFileURL(join(ROOT, 'scripts/pack.mjs')).href)) as { pack(destination: string): Promise<string[]> }
  const [registry, tarballs] = await Promise.all([startRegistry(), pack(join(folder, 'packed'))])
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "private": true }')
  const env = { ...process.env, ...home(folder), ...registry.env, NO_COLOR: '1' }
  try {
    const others = [...dependenciesOf(join(ROOT, 'packages/cli')).keys()].map((directory) => () => packFiles(folderFiles(directory)))
    const queue = [...tarballs.map((path) => () => readFileSync(path)), ...others]
    await Promise.all(Array.from({ length: 4 }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await registry.publish(next())
    }))
    await run(WINDOWS ? 'npm.cmd' : 'npm', ['install', 'aiperf', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: app, env, shell: WINDOWS, maxBuffer: 1e8 })
  } finally {
    await registry.close()
  }

  const aiperf = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(process.execPath, [join(app, 'node_modules/aiperf/bin/run.js'), ...args], { cwd: app, env, maxBuffer: 1e8 })
    expect(stderr).toBe('')
    return stdout
  }
  expect(existsSync(join(app, 'node_modules/.bin', WINDOWS ? 'aiperf.cmd' : 'aiperf'))).toBe(true)
  expect(await aiperf('--help')).toContain('profile')
  const bundled = tarballs.map((path) => JSON.parse(unpackFiles(readFileSync(path)).get('package.json')!.toString()) as { name: string; version: string; aiperf?: object }).filter((manifest) => manifest.aiperf)
  const listed = JSON.parse(await aiperf('plugins', '--json')) as { name: string; version: string; directory: string; problem?: string }[]
  expect(listed.map(({ name, version, problem }) => ({ name, version, problem }))).toEqual(bundled.map(({ name, version }) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1)))
  for (const { directory } of listed) expect(directory).toContain(app)
  expect(await aiperf('plugins', '--validate')).not.toContain('FAIL')

  const server = await startMockServer()
  await aiperf('profile', '--model', 'm', '--url', server.url, '--streaming', '--tokenizer', 'builtin', '--isl', '8', '--osl', '5', '--request-count', '4', '--server-metrics-formats', 'parquet', '--ui', 'none', '--artifact-dir', 'out').finally(() => server.close())
  expect(JSON.parse(readFileSync(join(app, 'out/profile_export_aiperf.json'), 'utf8'))).toMatchObject({ request_count: { avg: 4 } })
  await aiperf('plot', 'out', '--plots', 'ttft_over_time', '--format', 'svg', '--output', 'plots')
  expect(existsSync(join(app, 'plots'))).toBe(true)
  await aiperf('report', 'out')
  expect(await aiperf('plugins', 'create', 'endpoint', 'my-api')).toContain('npm install')
  expect(existsSync(join(app, 'aiperf-plugin-my-api/src/my-api.ts'))).toBe(true)
  expect(await aiperf('plugins', 'install', rampPlugin('@acme/ramps', 'steep'))).toMatch(/\+ +ramp steep +@acme\/ramps/)
}, 300_000)
