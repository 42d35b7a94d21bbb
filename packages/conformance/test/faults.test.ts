import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { suitesOf, type Cases } from '@aiperf/conformance'

const core = dirname(createRequire(import.meta.url).resolve('@aiperf/core/package.json'))

/** A package with one contribution, on disk as a vendor would have it. */
function plugin(kind: string, code: string, meta: object = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'aiperf-faulty-'))
  mkdirSync(join(directory, 'node_modules/@aiperf'), { recursive: true })
  symlinkSync(core, join(directory, 'node_modules/@aiperf/core'), 'junction')
  writeFileSync(join(directory, 'package.json'), JSON.stringify({
    name: '@acme/faulty', version: '1.0.0', description: 'A plugin with a fault', license: 'MIT', type: 'module', engines: { node: '>=20' }, files: ['aiperf.manifest.json'], oclif: {},
    aiperf: { api: 1, contributes: { [kind]: { acme: { entry: './acme.js', meta: { description: 'Made to be found out', ...meta } } } } },
  }))
  writeFileSync(join(directory, 'aiperf.manifest.json'), JSON.stringify({ contributions: { [kind]: { acme: kind === 'metric' ? { metrics: [{ tag: 'acme_metric' }] } : {} } } }))
  writeFileSync(join(directory, 'acme.js'), code)
  return directory
}
/** What does not hold, as `check: message`. */
async function faults(directory: string, cases: Cases = {}): Promise<string> {
  const found: string[] = []
  for (const { groups } of suitesOf({ package: directory, cases }))
    for (const { checks } of groups)
      for (const { title, run } of checks)
        try {
          await run()
        } catch (error) {
          found.push(`${title}: ${(error as Error).message}`)
        }
  return found.join('\n')
}

const META = { path: '/v1/acme', streams: true, producesTokens: true, tokenizesInput: true, media: [], metricsTitle: 'LLM Metrics' }
const parts = {
  head: '',
  encode: `({ turns }) => ({ method: 'POST', contentType: 'application/json', accept: streaming ? 'text/event-stream' : 'application/json', body: new TextEncoder().encode(JSON.stringify({ stream: streaming, prompt: turns.at(-1).texts[0].contents[0], ...extraInputs })) })`,
  decoder: `() => ({ push: (frame) => { const json = frame.json(); return typeof json?.text === 'string' ? [{ kind: 'text', text: json.text }] : [] }, end: () => [] })`,
  inputTexts: `(body) => [body.prompt]`,
  more: '',
}
const endpoint = (change: Partial<typeof parts> = {}, meta: object = {}): string => {
  const p = { ...parts, ...change }
  return plugin('endpoint', `${p.head}\nexport default { kind: 'endpoint', api: 1, create: ({ streaming, extraInputs }) => ({ encode: ${p.encode}, decoder: ${p.decoder}, inputTexts: ${p.inputTexts}, ${p.more} }) }`, { ...META, ...meta })
}
const ANSWER: Cases = { endpoint: { acme: { answers: [{ title: 'hello', framing: 'sse', body: 'data: {"text":"Hel"}\n\ndata: {"text":"lo"}\n\n', expect: { text: 'Hello' } }] } } }

test('an endpoint without a fault has none', async () => {
  expect(await faults(endpoint(), ANSWER)).toBe('')
})

describe('faults of an endpoint are found:', () => {
  test.each([
    ['a timer at import', { head: 'setInterval(() => {}, 1000)' }, {}, /importing .*acme\.js leaves a timer made at .*acme\.js:1/],
    ['a timer in create', { more: 'timer: setInterval(() => {}, 1000)' }, {}, /a timer made at .*acme\.js.* still there after it was ended/],
    ['a clock', { encode: `() => ({ method: 'POST', contentType: 'application/json', accept: 'a/b', body: new TextEncoder().encode(String(Date.now())) })` }, {}, /encode calls Date\.now\(\)/],
    ['luck', { decoder: `() => ({ push: () => [{ kind: 'text', text: String(Math.random()) }], end: () => [] })` }, {}, /the decoder calls Math\.random\(\)/],
    ['a decoder that throws', { decoder: `() => ({ push: (frame) => [{ kind: 'text', text: JSON.parse(frame.text()).text }], end: () => [] })` }, {}, /rubbish is told, never thrown: .*the decoder threw/],
    ['deltas without text', { decoder: `() => ({ push: (frame) => [{ kind: 'text', text: frame.json()?.text }], end: () => [] })` }, {}, /text must be a string/],
    ['decoders with common state', { head: 'let text = ""', decoder: `() => ({ push: (frame) => { text += frame.json()?.text ?? ''; return [] }, end: () => { const all = text; text = ''; return all ? [{ kind: 'text', text: all }] : [] } })` }, {}, /decoders do not share anything/],
    ['a body that forgets the extra inputs', { encode: parts.encode.replace(', ...extraInputs', '') }, {}, /--extra-inputs .* is not in the body/],
    ['a promise to stream', { encode: parts.encode.replace('stream: streaming, ', '').replace("streaming ? 'text/event-stream' : ", '') }, {}, /the request is the same with and without streaming/],
    ['a promise of pictures', {}, { media: ['image'] }, /lists image under "media", but the image of the turn is not in the body/],
    ['a promise to count no input', {}, { tokenizesInput: false }, /"tokenizesInput": false, but inputTexts finds/],
    ['a system message that is dropped', {}, { consumesSystemMessage: true }, /session\.system is 0 times in the body/],
    ['a host\'s object that is changed', { encode: parts.encode.replace('({ turns }) => ({', '({ turns }) => (turns[0].role = "user", {') }, {}, /(read only|not extensible)/],
    ['memory', { decoder: `() => { const all = []; return { push: (frame) => { all.push(new Array(100).fill(frame)); return [] }, end: () => [] } }` }, {}, /a decoder does not keep what it has read: .* KiB on the heap/],
    ['a manifest without its title', {}, { metricsTitle: undefined }, /meta\.metricsTitle is undefined/],
  ])('%s', async (_title, change, meta, message) => {
    expect(await faults(endpoint(change, meta), ANSWER)).toMatch(message)
  })

  test('an answer that means something else', async () => {
    expect(await faults(endpoint({ decoder: `() => ({ push: () => [{ kind: 'text', text: 'x' }], end: () => [] })` }), ANSWER)).toMatch(/text: expected "Hello", got "xx"/)
  })
})

describe('faults of other kinds are found:', () => {
  const of = (kind: string, create: string) => `export default { kind: '${kind}', api: 1, create: ${create} }`
  test.each([
    ['arrival_pattern', `() => ({ start: 'gap', gaps: (random) => () => 2 * random.exponential(1) })`, /the mean of 20000 gaps is [12]\.\d+/],
    ['arrival_pattern', `() => ({ start: 'gap', gaps: () => () => Math.random() })`, /a gap calls Math\.random\(\)/],
    ['ramp', `() => ({ curve: () => ({ at: (s) => 1 - s, inverse: (p) => 1 - p }) })`, /at\(0\) is 1/],
    ['dataset_sampler', `({ size }) => { let n = 0; return { at: () => n++ % size } }`, /it must be a function of n/],
    ['metric', `() => [{ tag: 'acme_metric', header: 'Acme', unit: 'ns', kind: 'record', description: 'd', compute: (r) => r.firstTokenNs - r.dispatchedNs }]`, /acme_metric is null for a record/],
    ['metric', `() => [{ tag: 'acme_metric', header: 'Acme', unit: 'ns', kind: 'record', description: 'd', compute: (r) => r.firstToken }]`, /it reads firstToken, which no record has/],
    ['timing_mode', `() => ({ plan: () => { let at = 5; return { arrivals: { kind: 'timed', next: () => (at > 0 ? { dueNs: at-- } : undefined) }, nextTurn: { kind: 'after-reply' }, limits: {}, sessions: 'sample', overload: 'queue' } } })`, /an arrival is due at 4 ns after one at 5 ns/],
    ['timing_mode', `() => ({ plan: () => ({ arrivals: { kind: 'asap' }, nextTurn: { kind: 'after-reply' }, limits: {}, sessions: 'sample', overload: 'queue' }) })`, /need a limit of sessions/],
    ['exporter', `() => ({ async write(run, dir) { await dir.write('acme.json', JSON.stringify({ at: performance.now(), x: String(NaN) })) } })`, /acme\.json differs when the same run is written again[\s\S]*holds .*NaN/],
    ['exporter', `() => ({ async write(run, dir) { void dir.write('acme.txt', 'x') } })`, /write ended while 1 files were still being written/],
    ['ui', `({ stdout }) => ({ update: () => stdout.write('hello'), log() {}, async close() {} })`, /it wrote to stdout/],
    ['accuracy_grader', `() => ({ grade: () => ({ passed: true, unparsed: false, actual: '' }) })`, /the empty answer passes/],
    ['url_strategy', `() => ({ choose: (session) => session })`, /choose\(1\) is 1 of 1 URLs/],
    ['endpoint', `() => ({ encode() {} })`, /@acme\/faulty 1\.0\.0.*creates a thing without decoder, inputTexts/],
    ['search_recipe', `() => ({ expand: () => ({ kind: 'sweep', cells: [] }) })`, /has no points/],
    ['transport', `() => ({ async open() {}, send: () => ({ cancel() {} }), async close() {} })`, /send after close hangs/],
  ])('%s %s', async (kind, create, message) => {
    expect(await faults(plugin(kind, of(kind, create), { ...META, schemes: ['acme'], target: 'file', files: ['acme.json', 'acme.txt'] }))).toMatch(message)
  })
})
