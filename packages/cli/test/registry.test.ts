import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startMockServer } from '@aiperf/mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aiperf, emptyFolder, home, type Ended } from './program.js'
import { dependenciesOf } from './registry/dependencies.js'
import { startRegistry, type Registry } from './registry/registry.js'
import { folderFiles, packFiles, unpackFiles } from './registry/tar.js'
import { quillRoute } from '../../../examples/quill-endpoint/server/quill.js'
import { startMeter } from '../../../examples/power-meter/server/meter.js'

/**
 * What a vendor and a user do, with a real registry: everything is packed and published to it, and installed from it. One
 * registry and one home serve all tests of this file, which come one after the other.
 */
const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const require = createRequire(import.meta.url)

let registry: Registry
let env: Record<string, string>
const folder = emptyFolder()
const tarballs = new Map<string, Buffer>()

/**
 * The same package under another version, as its author would publish it later. Of its dependencies only the contracts
 * stay: the others serve contributions that are not used here, and would be 150 packages to publish and install.
 */
function reversioned(tarball: Buffer, version: string): Buffer {
  const files = unpackFiles(tarball)
  const manifest = JSON.parse(files.get('package.json')!.toString()) as { dependencies: Record<string, string> }
  const dependencies = { '@aiperf/core': manifest.dependencies['@aiperf/core'] }
  return packFiles(files.set('package.json', Buffer.from(JSON.stringify({ ...manifest, version, dependencies, private: undefined }, null, 2))))
}
const program = async (args: readonly string[], extra: Record<string, string> = {}): Promise<Ended> => {
  const ended = await aiperf(args, { env: { ...env, ...extra }, cwd: folder })
  if (ended.code !== 0) throw new Error(`aiperf ${args.join(' ')} ended with ${ended.code}:\n${ended.stderr}\n${ended.stdout}`)
  return ended
}
const listing = async () => (JSON.parse((await program(['plugins', '--json'])).stdout) as { name: string; version: string; origin: string; replacedBy?: string }[]).map(({ name, version, origin, replacedBy }) => ({ name, version, origin, ...(replacedBy === undefined ? {} : { replaced: true }) }))
const profile = (url: string, artifacts: string, ...args: string[]) => program(['profile', '--model', 'm', '--url', url, '--tokenizer', 'builtin', '--request-count', '4', '--ui', 'none', '--no-server-metrics', '--no-gpu-telemetry', '--artifact-dir', join(folder, artifacts), ...args])
/** Generated prompts and answers of a few tokens. */
const SHORT = ['--isl', '8', '--osl', '5']
const manifestOf = (artifacts: string) => JSON.parse(readFileSync(join(folder, artifacts, 'manifest.json'), 'utf8')) as { plugins: { package: string; version: string; integrity?: string; contributions: string[] }[] }

beforeAll(async () => {
  const { pack } = (await import(pathToFileURL(join(ROOT, 'scripts/pack.mjs')).href)) as { pack(destination: string, filters: string[]): Promise<string[]> }
  const [started, packed] = await Promise.all([startRegistry(), pack(join(folder, 'packed'), ['./packages/core', './packages/plugin-endpoints', './packages/plugin-timing', './examples/*'])])
  registry = started
  env = { ...home(folder), ...registry.env }
  for (const path of packed) tarballs.set(path.replace(/.*[\\/](.*)-\d.*\.tgz$/, '$1'), readFileSync(path))
  for (const directory of dependenciesOf(join(ROOT, 'packages/core')).keys()) await registry.publish(packFiles(folderFiles(directory)))
  await registry.publish(tarballs.get('aiperf-core')!)
  await registry.publish(reversioned(tarballs.get('aiperf-plugin-endpoints')!, '0.2.0'))
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await registry.publish(reversioned(tarballs.get('example-aiperf-quill')!, version))
}, 120_000)
afterAll(() => registry?.close())

describe('from the registry', () => {
  test('a vendor\'s plugin and a newer copy of a bundled one are installed, used, updated within their range, and removed without a trace', async () => {
    const before = await listing()
    const installed = await program(['plugins', 'install', '@example/aiperf-quill@1.0.0 - 1.0.5', '@aiperf/plugin-endpoints@^0.2.0', readdirSync(join(folder, 'packed')).filter((name) => name.includes('power-meter')).map((name) => join(folder, 'packed', name))[0]!])
    expect(installed.stdout).toMatch(/@example\/aiperf-quill 1\.0\.0[\s\S]*integrity +sha512-[\s\S]*endpoint +quill [\s\S]*new flags +--quill-warmth, --quill-thinks[\s\S]*@aiperf\/plugin-endpoints 0\.2\.0[\s\S]*instead of 0\.1\.0 \(comes with aiperf\)/)
    expect(installed.stdout).toMatch(/\+ +endpoint quill[\s\S]*|~ +endpoint chat +@aiperf\/plugin-endpoints 0\.1\.0 → 0\.2\.0/)
    expect(await listing()).toEqual(expect.arrayContaining([{ name: '@aiperf/plugin-endpoints', version: '0.2.0', origin: 'installed' }, { name: '@aiperf/plugin-endpoints', version: '0.1.0', origin: 'bundled', replaced: true }, { name: '@example/aiperf-quill', version: '1.0.0', origin: 'installed' }]))
    expect((await program(['profile', '--help'])).stdout).toContain('--quill-warmth')

    const server = await startMockServer({ routes: [quillRoute] })
    const meter = await startMeter()
    await profile(server.url, 'chat', ...SHORT, '--streaming')
    await profile(server.url, 'quill', ...SHORT, '--streaming', '--endpoint-type', 'quill', '--quill-thinks', '--power-meter', '--power-meter-url', meter.url, '--power-meter-interval', '20')
    await meter.close()
    await server.close()
    const [newer] = manifestOf('chat').plugins.filter((p) => p.package === '@aiperf/plugin-endpoints')
    expect(newer).toMatchObject({ version: '0.2.0', integrity: expect.stringMatching(/^sha256-/), contributions: expect.arrayContaining(['endpoint:chat']) })
    expect(manifestOf('quill').plugins.find((p) => p.package === '@example/aiperf-quill')).toMatchObject({ version: '1.0.0', contributions: ['endpoint:quill'] })
    const { request_count, reasoning_token_count } = JSON.parse(readFileSync(join(folder, 'quill/profile_export_aiperf.json'), 'utf8')) as Record<string, { avg: number }>
    expect(request_count!.avg).toBe(4)
    expect(reasoning_token_count!.avg).toBeGreaterThan(0)
    expect(readFileSync(join(folder, 'quill/power_meter.csv'), 'utf8')).toMatch(/^profiling,node-1,[\d.]+,400,/m)

    await program(['plugins', 'install', '@example/aiperf-quill@^1.0.0'])
    expect((await program(['plugins', 'update'])).stdout).toContain('Nothing changed')
    expect((await listing()).find((p) => p.name === '@example/aiperf-quill')!.version).toBe('1.1.0')

    const removed = await program(['plugins', 'uninstall', '@example/aiperf-quill', '@aiperf/plugin-endpoints', '@example/aiperf-power-meter'])
    expect(removed.stdout).toMatch(/- +endpoint quill/)
    expect(await listing()).toEqual(before)
  }, 120_000)
})

test('the core of now works with the plugins of the release before', async () => {
  await registry.publish(reversioned(tarballs.get('aiperf-plugin-timing')!, '0.0.9'))
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/compatibility.mjs')], { env: { ...process.env, ...env } })
  expect(stdout).toMatch(/With the core of now: @aiperf\/plugin-timing 0\.0\.9\n/)
  expect(stdout).toMatch(/used @aiperf\/plugin-timing\./)
}, 120_000)

/** Runs that use the templates as their READMEs say, several at once where they go together. */
const USES: readonly { kinds: readonly string[]; args: readonly string[]; check?(artifacts: string): void }[] = [
  {
    kinds: ['endpoint', 'transport', 'dataset_loader', 'exporter', 'metric', 'telemetry_source'],
    args: ['--endpoint-type', 'my_endpoint', '--my-endpoint-temperature', '0.5', '--streaming', '--transport', 'my_transport', '--input-file', 'questions.jsonl', '--custom-dataset-type', 'my_dataset_loader', '--my-dataset-loader-max-answer-tokens', '5', '--my-exporter-digits', '1', '--my-telemetry-source', '--my-telemetry-source-interval', '20'],
    check(artifacts) {
      expect(readFileSync(join(artifacts, 'my_exporter.md'), 'utf8')).toMatch(/\| Request Latency \| ms \| \d+\.\d \|/)
      const summary = readFileSync(join(artifacts, 'profile_export_aiperf.json'), 'utf8')
      for (const word of ['my_metric_longest_gap', 'my_telemetry_source_load']) expect(summary).toContain(word)
    },
  },
  { kinds: ['timing_mode'], args: [...SHORT, '--my-timing-mode-pulse', '2', '--my-timing-mode-every', '0.1'] },
  { kinds: ['arrival_pattern'], args: [...SHORT, '--request-rate', '50', '--arrival-pattern', 'my_arrival_pattern'] },
  {
    kinds: ['accuracy_benchmark'],
    args: ['--accuracy-benchmark', 'my_accuracy_benchmark'],
    check: (artifacts) => expect(readFileSync(join(artifacts, 'accuracy_results.csv'), 'utf8')).toMatch(/^addition,\d,4,\d,/m),
  },
]
const KINDS = [...USES.flatMap(({ kinds }) => kinds), 'search_recipe', 'plot']
const kebab = (kind: string) => `my-${kind.replaceAll('_', '-')}`

describe('templates', () => {
  const made = join(folder, 'made')
  const directoryOf = (kind: string) => join(made, `aiperf-plugin-${kebab(kind)}`)

  test('each becomes a package that builds and keeps its contract', async () => {
    // One set of dependencies for all, where Node and npm look for them.
    mkdirSync(join(made, 'node_modules/.bin'), { recursive: true })
    mkdirSync(join(made, 'node_modules/@aiperf'))
    mkdirSync(join(made, 'node_modules/@types'))
    const own = (name: string) => dirname(require.resolve(`${name}/package.json`))
    const place = (name: string, target: string) => symlinkSync(realpathSync(target), join(made, 'node_modules', name), 'junction')
    place('@aiperf/core', own('@aiperf/core'))
    place('@aiperf/conformance', own('@aiperf/conformance'))
    place('zod', join(ROOT, 'packages/core/node_modules/zod'))
    for (const name of ['typescript', '@types/node']) place(name, join(ROOT, 'node_modules', name))

    await Promise.all(KINDS.map((kind) => aiperf(['plugins', 'create', kind, kebab(kind)], { env, cwd: made }).then(({ code, stderr }) => expect({ kind, code, stderr }).toEqual({ kind, code: 0, stderr: '' }))))
    const compiled = await run(process.execPath, [join(made, 'node_modules/typescript/bin/tsc'), '-b', ...KINDS.map(directoryOf)]).catch((error: Error & { stdout: string }) => error)
    expect(compiled.stdout).toBe('')
    await run(process.execPath, [join(made, 'node_modules/@aiperf/core/bin/aiperf-manifest.js'), ...KINDS.map(directoryOf)])
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', ...KINDS.map((kind) => join(directoryOf(kind), `dist/${kebab(kind)}.test.js`))], { env: environment, maxBuffer: 1e8 }).catch((error: Error & { stdout: string }) => error)
    expect(stdout.split('\n').filter((line) => /^ *not ok|error:/.test(line))).toEqual([])
    expect(Number(/^# pass (\d+)/m.exec(stdout)![1])).toBeGreaterThan(150)
  }, 120_000)

  test('all are packed and installed together', async () => {
    await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['pack', '--silent', '--pack-destination', made, ...KINDS.map(directoryOf)], { cwd: made, env: { ...process.env, ...env } })
    const packed = readdirSync(made).filter((name) => name.endsWith('.tgz'))
    expect(packed).toHaveLength(KINDS.length)
    const { stdout } = await program(['plugins', 'install', ...packed.map((name) => join(made, name))])
    for (const kind of KINDS) expect(stdout).toMatch(new RegExp(`\\+ +${kind} ${kebab(kind).replaceAll('-', '_')} `))
    const files = unpackFiles(readFileSync(join(made, packed[0]!)))
    expect([...files.keys()].some((name) => name.includes('.test.'))).toBe(false)
  }, 120_000)

  test('each is used', async () => {
    writeFileSync(join(folder, 'questions.jsonl'), '{"question": "What is tea?", "follow_ups": ["And coffee?"]}\n')
    const server = await startMockServer()
    for (const { kinds, args, check } of USES) {
      const artifacts = kinds[0]!
      await profile(server.url, artifacts, ...args)
      for (const kind of kinds) expect(manifestOf(artifacts).plugins.find((p) => p.package === `aiperf-plugin-${kebab(kind)}`)?.contributions, kind).toContain(`${kind}:${kebab(kind).replaceAll('-', '_')}`)
      check?.(join(folder, artifacts))
    }
    await profile(server.url, 'search', ...SHORT, '--search-recipe', 'my_search_recipe', '--my-search-recipe-most', '2')
    const { steps } = JSON.parse(readFileSync(join(folder, 'search/sweep_aggregate/my_search_recipe.json'), 'utf8')) as { steps: { name: string; throughput: number }[] }
    expect(steps.map(({ name }) => name)).toEqual(['c1', 'c2'])
    expect(steps.every(({ throughput }) => throughput > 0)).toBe(true)
    await server.close()
    await program(['plot', join(folder, 'endpoint'), '--plots', 'my_plot', '--format', 'json', '--output', join(folder, 'plots')])
    expect(readdirSync(join(folder, 'plots')).some((name) => name.includes('my_plot'))).toBe(true)
  }, 120_000)

  test('with ten packages more, help costs no more than a fifth more, and loads none of their code', async () => {
    const scriptsOf = async (extra: Record<string, string>, coverage: string): Promise<string[]> => {
      await program(['--help'], { ...extra, NODE_V8_COVERAGE: join(folder, coverage) })
      return readdirSync(join(folder, coverage)).flatMap((file) => (JSON.parse(readFileSync(join(folder, coverage, file), 'utf8')) as { result: { url: string }[] }).result.map(({ url }) => url))
    }
    const none = home(emptyFolder())
    const [without, withAll] = [await scriptsOf(none, 'without'), await scriptsOf({}, 'with')]
    expect(without.some((url) => url.includes('/packages/cli/'))).toBe(true)
    expect(withAll.filter((url) => url.includes('/aiperf-plugin-my-') || url.includes('conformance'))).toEqual([])
    expect(withAll.filter((url) => url.startsWith('file:')).length).toBe(without.filter((url) => url.startsWith('file:')).length)

    // CPU time of the whole process, the least of several turns: other programs on the machine cost it little.
    const meter = join(folder, 'cpu.mjs')
    writeFileSync(meter, `import { appendFileSync } from 'node:fs'\nprocess.on('exit', () => { const { user, system } = process.cpuUsage(); appendFileSync(process.env.CPU_FILE, (user + system) + '\\n') })\n`)
    const options = `--import ${pathToFileURL(meter).href}`
    const least = (name: string) => Math.min(...readFileSync(join(folder, `cpu-${name}`), 'utf8').trim().split('\n').map(Number))
    // The least settles after a few turns, on a busy machine after some more.
    for (let turn = 0; turn < 20 && (turn < 5 || least('all') / least('none') >= 1.2); turn++)
      for (const [name, extra] of [['none', none], ['all', {}]] as const) await program(['--help'], { ...extra, NODE_OPTIONS: options, CPU_FILE: join(folder, `cpu-${name}`) })
    expect(least('all') / least('none')).toBeLessThan(1.2)
  }, 120_000)
})
