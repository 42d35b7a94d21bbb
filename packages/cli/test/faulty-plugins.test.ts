import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { aiperf, emptyFolder, home } from './program.js'
import { pluginFolder, rampPlugin } from '../../core/test/plugin-folder.js'

const FAULTS = {
  import: ['throw new Error("cannot find my dongle")', /cannot be imported: cannot find my dongle/, /a dependency that is missing belongs under "dependencies"/],
  hang: [`export default { kind: 'ramp', api: 1, create: () => new Promise(() => {}) }`, /creating it did not end within 4 s/, /create must return or resolve/],
  leak: [`export default { kind: 'ramp', api: 1, create: () => { setInterval(() => {}, 1000); return { curve() {} } } }`, /leaves a timer made at .*ramp\.js:1:\d+ behind/, /must be ended by stop or close/],
  modules: [`const { defineRamp } = require('@aiperf/core')`, /cannot be imported: require is not defined in ES module scope, you can use import instead\.$/m, /as an ES module/],
  shape: [`export default { kind: 'ramp', api: 1, create: () => ({ curves() {} }) }`, /creates a thing without curve/, /what a define function of @aiperf\/core returns/],
  api: [`export default { kind: 'ramp', api: 99, create: () => ({ curve() {} }) }`, /plugin API 99.*Upgrade AIPerf/, /Upgrade what the message says/],
} as const

/** A home in which these packages are linked, as `plugins link` leaves it. */
function linked(...directories: string[]): Record<string, string> {
  const env = home(emptyFolder())
  const data = join(process.platform === 'win32' ? env['LOCALAPPDATA']! : env['XDG_DATA_HOME']!, 'aiperf')
  mkdirSync(data, { recursive: true })
  const plugins = directories.map((root) => ({ name: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name, type: 'link', root }))
  writeFileSync(join(data, 'package.json'), JSON.stringify({ name: 'aiperf', private: true, oclif: { schema: 1, plugins } }))
  return env
}

test('doctor names the package, the fault and the fix of each', async () => {
  const env = linked(...Object.entries(FAULTS).map(([name, [code]]) => rampPlugin(`@acme/${name}`, `acme_${name}`, { version: '2.0.0', code })), rampPlugin('@acme/fine', 'acme_fine'))
  const { code, stdout } = await aiperf(['plugins', 'doctor', '--json'], { env: { ...env, AIPERF_PLUGIN_TIMEOUT: '4' } })
  expect(code).toBe(1)
  const findings = JSON.parse(stdout) as { level: string; about: string; message: string; fix?: string }[]
  for (const [name, [, message, fix]] of Object.entries(FAULTS)) {
    const found = findings.find(({ about }) => about === `@acme/${name} 2.0.0`)
    expect(found, name).toMatchObject({ level: 'fail', message: expect.stringMatching(message), fix: expect.stringMatching(fix) })
    expect(found!.fix).toContain(name === 'api' ? 'plugins update @acme/api' : `plugins unlink @acme/${name}`)
  }
  expect(findings.find(({ about }) => about === '@acme/fine 1.0.0')).toMatchObject({ level: 'ok' })
  expect(findings.filter(({ level }) => level === 'fail')).toHaveLength(6)
}, 60_000)

describe('a run that asks for it ends before it sends anything:', () => {
  const run = (env: Record<string, string>, ramp: string) =>
    aiperf(['profile', '--model', 'm', '--url', 'http://127.0.0.1:9', '--tokenizer', 'builtin', '--request-count', '1', '--concurrency', '2', '--concurrency-ramp-duration', '1', '--concurrency-ramp-curve', ramp, '--ui', 'none'], { env: { ...env, AIPERF_PLUGIN_TIMEOUT: '3' } })
  test.each(['import', 'modules', 'hang', 'shape', 'api'] as const)('%s', async (name) => {
    const [code, message] = FAULTS[name]
    const env = linked(rampPlugin(`@acme/${name}`, `acme_${name}`, { version: '2.0.0', code }))
    const { code: exit, stderr } = await run(env, `acme_${name}`)
    expect(exit).toBe(1)
    expect(stderr).toMatch(name === 'hang' ? /its create did not end within 3 s/ : message)
    expect(stderr).toMatch(new RegExp(`"acme_${name}" of @acme/${name} 2\\.0\\.0`))
    if (name !== 'api') expect(stderr).toMatch(/This is a fault of @acme/)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

test('a plugin that takes a flag of the program harms nobody, and is told to whom asks for it', async () => {
  const greedy = pluginFolder({ name: '@acme/greedy', version: '1.0.0', aiperf: { api: 1, contributes: { endpoint: { greedy: { entry: './x.js', options: './o.js', meta: { path: '/v1', media: [] } } } } } }, {
    'aiperf.manifest.json': JSON.stringify({ contributions: { endpoint: { greedy: { options: { type: 'object', properties: { most: { type: 'number', flag: '--concurrency' } } } } } } }),
  })
  const env = linked(greedy, rampPlugin('@acme/import', 'acme_import', { code: FAULTS.import[0] }))
  const run = (...args: string[]) => aiperf(['profile', '--model', 'm', '--url', 'http://127.0.0.1:9', '--tokenizer', 'builtin', '--request-count', '1', '--concurrency', '2', '--ui', 'none', '--artifact-dir', emptyFolder(), ...args], { env })
  expect((await run()).stderr).toMatch(/E_NO_SUCCESS/)
  expect((await run('--endpoint-type', 'greedy')).stderr).toMatch(/greedy of @acme\/greedy cannot be used: its flag --concurrency is already a flag of the timing mode concurrency \(@aiperf\/plugin-timing\)/)
  expect((await aiperf(['plugins', 'doctor', '@acme/greedy'], { env })).stdout).toMatch(/FAIL @acme\/greedy 1\.0\.0: endpoint greedy: its flag --concurrency/)
}, 60_000)

test('doctor says of a manifest that is missing how it is made', async () => {
  const bare = pluginFolder({ name: '@acme/bare', version: '1.0.0', aiperf: { api: 1, contributes: { endpoint: { bare: { entry: './x.js', options: './o.js' } } } } }, {})
  const { stdout } = await aiperf(['plugins', 'doctor', '@acme/bare', '--json'], { env: linked(bare) })
  expect((JSON.parse(stdout) as object[])[0]).toMatchObject({ level: 'fail', message: expect.stringMatching(/^endpoint bare: its options are not described: .*does not exist\. Run aiperf-manifest/), fix: expect.stringContaining('the build must end with aiperf-manifest') })
})

describe('what cannot be linked or removed is said with a hint:', () => {
  test.each([
    ['a folder without a plugin', ['plugins', 'link', '.'], /is no plugin of AIPerf[\s\S]*plugins create/],
    ['a package that is not installed', ['plugins', 'uninstall', '@acme/none'], /@acme\/none is not installed[\s\S]*cannot be removed/],
    ['a path that is not there', ['plugins', 'install', './none.tgz'], /\.\/none\.tgz does not exist[\s\S]*packed plugin/],
    ['a template that there is not', ['plugins', 'create', 'endpont', 'x'], /no template for "endpont"[\s\S]*endpoint/],
    ['a name that is none', ['plugins', 'create', 'endpoint', 'Ünïcode'], /is no name for a contribution/],
  ])('%s', async (_title, args, message) => {
    const { code, stderr } = await aiperf(args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('rules of an organisation', () => {
  const rules = (content: object | string): string => {
    const path = join(emptyFolder(), 'plugins.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  test('allow what they name; nothing else is linked, installed or loaded', async () => {
    const allowed = rampPlugin('@acme/ramps', 'steep')
    const other = rampPlugin('@other/ramps', 'flat')
    const env = linked(allowed, other)
    const policy = rules({ allow: ['@acme/*'] })
    const withRules = { ...env, AIPERF_PLUGINS_POLICY: policy }
    const kind = JSON.parse((await aiperf(['plugins', 'ramp', '--json'], { env: withRules })).stdout) as { name: string; problem?: string }[]
    expect(kind.find(({ name }) => name === 'steep')!.problem).toBeUndefined()
    expect(kind.find(({ name }) => name === 'flat')!.problem).toContain(`not among the plugins that ${policy} allows`)
    expect(await aiperf(['plugins', 'link', other], { env: withRules })).toMatchObject({ code: 2, stderr: expect.stringContaining('may not be linked') })
    expect(await aiperf(['plugins', 'install', other], { env: withRules })).toMatchObject({ code: 2, stderr: expect.stringContaining('may not be installed') })
    for (const only of [[], ['@other/ramps']]) {
      const { stdout } = await aiperf(['plugins', 'doctor', '--json', ...only], { env: withRules })
      const failed = (JSON.parse(stdout) as { level: string; about: string; fix?: string }[]).filter(({ level }) => level === 'fail')
      expect(failed).toEqual([expect.objectContaining({ about: '@other/ramps', fix: expect.stringContaining('ask whoever keeps that file') })])
    }
  })
  test('provenance and scripts', async () => {
    const env = { ...home(emptyFolder()), AIPERF_PLUGINS_POLICY: rules({ provenance: 'required', scripts: false }) }
    const directory = rampPlugin('@acme/ramps', 'steep')
    expect(await aiperf(['plugins', 'install', directory], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('asks for provenance') })
    expect(await aiperf(['plugins', 'install', directory, '--scripts'], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('does not allow the scripts') })
  })
  test('that cannot be read allow nothing', async () => {
    const env = linked(rampPlugin('@acme/ramps', 'steep'))
    expect(await aiperf(['plugins'], { env: { ...env, AIPERF_PLUGINS_POLICY: rules('{"alow": []}') } })).toMatchObject({ code: 2, stderr: expect.stringContaining('"alow" is no key of it') })
  })
})

test('a folder is installed as a copy of what would be published, without its scripts', async () => {
  const env = home(emptyFolder())
  const directory = pluginFolder(
    { name: '@acme/ramps', version: '1.0.0', scripts: { prepare: 'echo ran > ran.txt', postinstall: 'echo ran > ran.txt' }, aiperf: { api: 1, contributes: { ramp: { steep: { entry: './ramp.js', meta: { description: 'A curve' } } } } } },
    { 'ramp.js': `export default { kind: 'ramp', api: 1, create: () => ({ curve: () => ({ at: (s) => s, inverse: (p) => p }) }) }` },
  )
  const installed = await aiperf(['plugins', 'install', directory], { env })
  expect({ code: installed.code, stderr: installed.stderr }).toEqual({ code: 0, stderr: '' })
  expect(installed.stdout).toMatch(/scripts +postinstall, prepare do not run[\s\S]*\+ +ramp steep +@acme\/ramps 1\.0\.0/)
  const { entry } = JSON.parse((await aiperf(['plugins', 'ramp', 'steep', '--json'], { env })).stdout) as { entry: string }
  expect(entry).not.toContain(directory)
  expect(existsSync(entry)).toBe(true)
  expect(existsSync(join(entry, '../ran.txt'))).toBe(false)
  const removed = await aiperf(['plugins', 'uninstall', '@acme/ramps'], { env })
  expect(removed.stdout).toMatch(/Removed @acme\/ramps\.\n- +ramp steep/)
}, 60_000)

test('a git repository is installed as it stands there', async () => {
  const env = home(emptyFolder())
  const directory = rampPlugin('@acme/ramps', 'steep')
  for (const args of [['init', '--quiet'], ['add', '--all'], ['-c', 'user.name=Acme', '-c', 'user.email=acme@example.com', 'commit', '--quiet', '--message', 'A curve']]) execFileSync('git', args, { cwd: directory })
  const { code, stdout } = await aiperf(['plugins', 'install', `git+${pathToFileURL(directory).href}`, '--json'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ installed: [{ name: '@acme/ramps', version: '1.0.0', contributions: [{ kind: 'ramp', name: 'steep' }] }] })
  expect((await aiperf(['plugins'], { env })).stdout).toMatch(/@acme\/ramps +1\.0\.0 +installed from git\+file:/)
}, 60_000)
