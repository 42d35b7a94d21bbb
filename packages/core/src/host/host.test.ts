import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { buildIndex, createHost, type Origin, type PluginIndex } from '@aiperf/core/host'
import { buildTable } from '@aiperf/core/options'
import { pluginFolder, rampPlugin } from '../../test/plugin-folder.js'

const indexOf = (...directories: (string | [string, Origin])[]): PluginIndex =>
  buildIndex(directories.map((item) => (typeof item === 'string' ? { directory: item, origin: 'bundled' } : { directory: item[0], origin: item[1] })))
const codeAndText = async (action: Promise<unknown>): Promise<string> => {
  try {
    await action
  } catch (error) {
    const { name, code, message, hint, stack: _stack } = error as Error & { code: string; hint?: string }
    expect(name).toBe('AiperfError')
    return `${code}: ${message} ${hint ?? ''}`
  }
  return 'no error'
}

describe('the plugin index', () => {
  test('is plain JSON that names package, version and absolute entry of each contribution', () => {
    const index = indexOf(rampPlugin('@acme/ramps', 'steep', { version: '2.1.0' }))
    expect(structuredClone(index)).toEqual(index)
    expect(JSON.parse(JSON.stringify(index))).toEqual(index)
    expect(index.contributions).toMatchObject([{ kind: 'ramp', name: 'steep', package: '@acme/ramps', version: '2.1.0', api: 1 }])
    expect(index.contributions[0]!.entry).toMatch(/^(\/|[A-Z]:).*ramp\.js$/)
  })

  test('passes over a package that does not claim to be a plugin', () => {
    expect(indexOf(pluginFolder({ name: 'other' }))).toEqual({ packages: [], contributions: [] })
  })

  test('accepts category names of the reference as kinds', () => {
    const directory = pluginFolder({ name: '@acme/loader', aiperf: { api: 1, contributes: { custom_dataset_loader: { acme: { entry: './x.js' } } } } })
    expect(indexOf(directory).contributions).toMatchObject([{ kind: 'dataset_loader', name: 'acme' }])
  })

  test.each([
    ['an installed newer copy replaces the bundled one', '1.10.0', 'installed', '1.10.0'],
    ['an installed older copy does not', '1.8.9', 'installed', '1.9.0'],
    ['a pre-release of the bundled version is older', '1.9.0-rc.1', 'installed', '1.9.0'],
    ['a linked copy is the one its developer wants', '0.0.1', 'linked', '0.0.1'],
  ] as const)('of two copies of a package, %s', (_title, version, origin, used) => {
    const index = indexOf(rampPlugin('@acme/ramps', 'steep', { version: '1.9.0' }), [rampPlugin('@acme/ramps', 'steep', { version }), origin])
    expect(index.contributions.map((c) => c.version)).toEqual([used])
    expect(index.packages.filter((p) => p.replacedBy === undefined).map((p) => p.version)).toEqual([used])
  })

  test('lists a package whose package.json is broken, with the reason', () => {
    const directory = pluginFolder({}, { 'package.json': '{"name": ' })
    expect(indexOf(directory).packages).toMatchObject([{ problem: expect.stringContaining('package.json cannot be read') }])
  })

  test('says which kind was meant when a kind does not exist, and keeps the rest of the package', () => {
    const directory = pluginFolder({ name: '@acme/x', aiperf: { api: 1, contributes: { endpiont: { a: { entry: './a.js' } }, ramp: { b: { entry: './b.js' } } } } })
    const index = indexOf(directory)
    expect(index.packages[0]!.problem).toMatch(/endpiont.*Did you mean endpoint\?/)
    expect(index.contributions.map((c) => c.name)).toEqual(['b'])
  })
})

describe('options in a manifest', () => {
  const endpoint = (name: string, temperature: unknown): string =>
    pluginFolder({ name, version: '1.0.0', aiperf: { api: 1, contributes: { endpoint: { [name.slice(1).replace('/', '_')]: { entry: './x.js', options: './o.js' } } } } }, {
      'aiperf.manifest.json': JSON.stringify({ contributions: { endpoint: { [name.slice(1).replace('/', '_')]: { options: { type: 'object', properties: { temperature } } } } } }),
    })

  test('take no flag from a package that comes with the program, whatever their package is called', () => {
    const own = endpoint('@b/own', { type: 'number', flag: '--temperature' })
    const { clashes, byName } = buildTable(indexOf([endpoint('@a/other', { type: 'number', flag: '--temperature', aliases: ['--heat'] }), 'linked'], own))
    expect(byName.get('--temperature')!.entry.owners.map((o) => o.contribution.package)).toContain('@b/own')
    expect([...clashes.keys()].map((c) => c.package)).not.toContain('@b/own')
  })

  test.each([
    ['a type that there is not', { type: 'nummer' }, /options\.temperature has the type "nummer"; there are object, /],
    ['a flag that is none', { type: 'number', flag: 'temperature' }, /the flag "temperature"; a flag begins with/],
    ['a pattern that is none', { type: 'string', pattern: '(' }, /options\.temperature has a pattern/],
    ['no schema at all', 7, /options\.temperature is no schema/],
  ])('that hold %s keep their contribution from being used, and nothing else', async (_title, temperature, reason) => {
    const index = indexOf([endpoint('@a/broken', temperature), 'linked'], rampPlugin('@acme/ramps', 'steep'))
    expect(buildTable(index).byName.has('--temperature')).toBe(false)
    expect(await codeAndText(createHost(index).load('endpoint', 'a_broken'))).toMatch(new RegExp(`^E_PLUGIN_LOAD: The endpoint "a_broken" of @a/broken 1\\.0\\.0 cannot be used: .*${reason.source}.*Run aiperf-manifest`))
  })
})

describe('finding a contribution', () => {
  test('ignores case and treats - and _ alike', async () => {
    const host = createHost(indexOf(rampPlugin('@acme/ramps', 'very_steep')))
    expect(host.find('ramp', 'Very-Steep').name).toBe('very_steep')
  })

  test('takes a name without separators, or with others, where it is no other name', () => {
    const host = createHost(indexOf(rampPlugin('@acme/a', 'gsm8k'), rampPlugin('@acme/b', 'gs_m8k_2'), rampPlugin('@acme/c', 'gsm8k2')))
    expect(host.find('ramp', 'gsm8-k').name).toBe('gsm8k')
    expect(host.find('ramp', 'gsm8k2').name).toBe('gsm8k2')
  })

  test('an unknown name is answered with the nearest ones', async () => {
    const host = createHost(indexOf(rampPlugin('@acme/a', 'linear'), rampPlugin('@acme/b', 'poisson')))
    expect(await codeAndText(host.load('ramp', 'liner'))).toBe('E_PLUGIN_UNKNOWN: There is no ramp "liner". Did you mean linear?')
    expect(await codeAndText(host.load('ramp', 'zzz'))).toContain('Installed: linear, poisson.')
  })

  test('one name of two packages is an error that names both and how to choose', async () => {
    const host = createHost(indexOf(rampPlugin('@acme/a', 'steep'), rampPlugin('@other/b', 'steep')))
    const text = await codeAndText(host.load('ramp', 'steep'))
    for (const word of ['E_PLUGIN_AMBIGUOUS', '@acme/a', '@other/b', '@acme/a:steep', '@other/b:steep']) expect(text).toContain(word)
    expect(host.find('ramp', '@other/b:steep').package).toBe('@other/b')
  })
})

describe('activating', () => {
  test('imports the one entry and creates its thing', async () => {
    const host = createHost(indexOf(rampPlugin('@acme/ramps', 'steep')))
    const ramp = await host.activate('ramp', 'steep', undefined)
    expect(ramp.curve(undefined as never, { range: 1, seconds: 1 }).at(0.25)).toBe(0.25)
  })

  test('gives each call a thing of its own, made with its own context', async () => {
    const code = `export default { kind: 'tokenizer', api: 1, create: ({ name }) => ({ name, encode: () => [], decode: () => '', count: () => 0 }) }`
    const directory = pluginFolder({ name: '@acme/t', aiperf: { api: 1, contributes: { tokenizer: { t: { entry: './t.js' } } } } }, { 't.js': code })
    const host = createHost(indexOf(directory))
    const [a, b] = await Promise.all(['one', 'two'].map((name) => host.scope().activate('tokenizer', 't', { name, options: {} })))
    expect([a!.name, b!.name]).toEqual(['one', 'two'])
  })

  test.each([
    ['a module that cannot be imported', { code: 'this is no JavaScript' }, 'E_PLUGIN_LOAD', 'cannot be imported'],
    ['a module without a contribution', { code: 'export default 5' }, 'E_PLUGIN_SHAPE', 'no default export'],
    ['a contribution of another kind', { code: 'export default { kind: "ui", api: 1, create() {} }' }, 'E_PLUGIN_SHAPE', 'kind "ui"'],
    ['a thing that lacks methods', { code: 'export default { kind: "ramp", api: 1, create: () => ({}) }' }, 'E_PLUGIN_SHAPE', 'curve'],
    ['a thing that fails to start', { code: 'export default { kind: "ramp", api: 1, create() { throw new Error("no licence") } }' }, 'E_PLUGIN_LOAD', 'no licence'],
    ['a module written for another contract', { moduleApi: 7 }, 'E_PLUGIN_API', 'Upgrade AIPerf'],
  ])('%s is blamed on its package', async (_title, options, code, words) => {
    const host = createHost(indexOf(rampPlugin('@acme/broken', 'steep', options), rampPlugin('@acme/fine', 'flat')))
    const text = await codeAndText(host.activate('ramp', 'steep', undefined))
    expect(text).toContain(code)
    expect(text).toContain('@acme/broken')
    expect(text).toContain(words)
    expect(await host.activate('ramp', 'flat', undefined)).toHaveProperty('curve')
  })

  test.each([[2, 'Upgrade AIPerf'], [0, 'Upgrade the plugin']])('a package of contract %i says which side to upgrade, when it is asked for', async (api, words) => {
    const host = createHost(indexOf(rampPlugin('@acme/old', 'steep', { api })))
    expect(await codeAndText(host.activate('ramp', 'steep', undefined))).toContain(words)
  })

  test('options that the manifest does not describe keep a contribution from being used', async () => {
    const directory = pluginFolder({ name: '@acme/x', aiperf: { api: 1, contributes: { ramp: { steep: { entry: './r.js', options: './o.js' } } } } })
    expect(await codeAndText(createHost(indexOf(directory)).activate('ramp', 'steep', undefined))).toContain('Run aiperf-manifest')
  })

  test('scopes know what is above them, and not the other way round', () => {
    const token = Symbol.for('aiperf.test.value')
    const root = createHost(indexOf())
    const run = root.scope({ [token]: 7 })
    expect(run.scope().get(token)).toBe(7)
    expect(() => root.get(token)).toThrow()
  })

  test('works in a worker thread with the posted index', async () => {
    const index = indexOf(rampPlugin('@acme/ramps', 'steep'))
    const host = new URL('../../dist/host/index.js', import.meta.url).href
    const code = `
      const { workerData, parentPort } = require('node:worker_threads')
      import(${JSON.stringify(host)}).then(async ({ createHost }) => {
        const ramp = await createHost(workerData).activate('ramp', 'steep', undefined)
        parentPort.postMessage(ramp.curve().from)
      })`
    const worker = new Worker(code, { eval: true, workerData: index })
    const answer = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    await worker.terminate()
    expect(answer).toBe('@acme/ramps')
  })
})

describe('a plugin that hangs', () => {
  const code = { create: `export default { kind: 'ramp', api: 1, create: () => new Promise(() => {}) }`, import: 'await new Promise(() => {})' }
  test.each([['in create', code.create, /its create did not end within 0.05 s/], ['while it is imported', code.import, /importing .* did not end within 0.05 s/]])('%s ends the run, with an error that names it', async (_title, body, message) => {
    const host = createHost(indexOf(rampPlugin('@acme/ramps', 'steep', { code: body })))
    // What can be imported is imported before the clock runs.
    if (body === code.create) await host.load('ramp', 'steep')
    process.env['AIPERF_PLUGIN_TIMEOUT'] = '0.05'
    try {
      expect(await codeAndText(host.activate('ramp', 'steep', undefined))).toMatch(message)
    } finally {
      delete process.env['AIPERF_PLUGIN_TIMEOUT']
    }
  })
})
