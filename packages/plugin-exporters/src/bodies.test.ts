import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RawExchange, RunResult } from '@aiperf/core'
import { MemoryDir } from '../test/artifact-dir.js'
import { runResult, type MadeRun } from '../test/run-result.js'
import inputsJson from './inputs-json.js'
import outputsJson from './outputs-json.js'
import rawJsonl from './raw-jsonl.js'

const bytes = (text: string) => Buffer.from(text)
type Exporter = typeof inputsJson | typeof outputsJson | typeof rawJsonl

async function write(exporter: Exporter, run: RunResult): Promise<MemoryDir> {
  const dir = new MemoryDir()
  await (await exporter.create({ options: {} } as never)).write(run, dir)
  return dir
}

const STREAM = 'data: {"id":1}\n\n: ping\n\nevent: delta\ndata: {"a":"é"}\nid: 7\n\ndata: [DONE]'
const exchange = (ordinal: number, change: Partial<RawExchange> = {}): RawExchange => ({
  ordinal,
  requestHeaders: { Authorization: 'Bearer secret-key', 'Content-Type': 'application/json' },
  responseHeaders: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Set-Cookie': 'session=1' },
  payload: bytes('{"model":"m","seed":12345678901234567890}'),
  reads: [{ ns: 5_000_000, bytes: bytes(STREAM.slice(0, 20)) }, { ns: 9_000_000, bytes: bytes(STREAM.slice(20)) }],
  ...change,
})
const rawRun = (made: Partial<MadeRun>) => runResult({ records: [{ startMs: 1, firstMs: 3, gapsMs: [1] }], ...made, change: (run) => { run.output.level = 'raw'; made.change?.(run) } })
async function rawLines(run: RunResult): Promise<{ text: string; lines: Record<string, unknown>[]; counts: unknown }> {
  const { files } = await write(rawJsonl, run)
  const text = files.get('profile_export_raw.jsonl')!
  return { text, lines: text.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>), counts: JSON.parse(files.get('profile_export_raw_counts.json')!) }
}

describe('profile_export_raw.jsonl', () => {
  test('has the request as sent and each event with the time of the read that completed it', async () => {
    const { text, lines, counts } = await rawLines(rawRun({ exchanges: [exchange(0)] }))
    expect(lines[0]).toMatchObject({
      start_perf_ns: 1_000_000,
      status: 200,
      request_headers: { Authorization: '<redacted>', 'Content-Type': 'application/json' },
      response_headers: { 'Set-Cookie': '<redacted>' },
      responses: [
        { perf_ns: 9_000_000, packets: [{ name: 'data', value: '{"id":1}' }] },
        { perf_ns: 9_000_000, packets: [{ name: 'comment', value: 'ping' }] },
        { perf_ns: 9_000_000, packets: [{ name: 'event', value: 'delta' }, { name: 'data', value: '{"a":"é"}' }, { name: 'id', value: '7' }] },
        { perf_ns: 9_000_000, packets: [{ name: 'data', value: '[DONE]' }] },
      ].map((response, i) => (i === 0 ? { ...response, perf_ns: 5_000_000 } : response)),
    })
    expect(text).toContain('"payload":{"model":"m","seed":12345678901234567890}')
    expect(text).not.toContain('secret-key')
    expect(counts).toEqual({ records: 1, with_exchange: 1, without_exchange: 0, complete: true })
  })

  test('the events do not depend on how the bytes came', async () => {
    const whole = bytes(STREAM)
    const packets = async (reads: RawExchange['reads']) => (await rawLines(rawRun({ exchanges: [exchange(0, { reads })] }))).lines[0]!['responses'] as { packets: unknown }[]
    const expected = (await packets([{ ns: 1, bytes: whole }])).map((r) => r.packets)
    await fc.assert(fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (a, b) => {
      const [from, to] = a < b ? [a, b] : [b, a]
      const reads = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)].map((part, i) => ({ ns: i, bytes: part }))
      expect((await packets(reads)).map((r) => r.packets)).toEqual(expected)
    }), { numRuns: 60 })
  })

  test('a body that is no stream is one text, and one that is no text stays binary', async () => {
    const read = (type: string, content: Buffer) => exchange(0, { responseHeaders: { 'content-type': type }, reads: [{ ns: 1, bytes: content.subarray(0, 1) }, { ns: 2, bytes: content.subarray(1) }] })
    const one = async (e: RawExchange) => (await rawLines(rawRun({ exchanges: [e] }))).lines[0]!['responses']
    expect(await one(read('application/json; charset=utf-8', bytes('{"é":1}')))).toEqual([{ perf_ns: 2, text: '{"é":1}', content_type: 'application/json' }])
    expect(await one(read('video/mp4', Buffer.from([0, 255, 1])))).toEqual([{ perf_ns: 2, base64: 'AP8B', content_type: 'video/mp4' }])
    expect(await one(exchange(0, { reads: [], responseHeaders: {} }))).toEqual([])
  })

  test('records without an exchange are there and counted', async () => {
    const { lines, counts } = await rawLines(rawRun({
      records: [{ startMs: 1, firstMs: 3 }, { startMs: 2, restMs: 1, outcome: 'connection', error: { type: 'ECONNREFUSED', message: 'no', category: 'connection' } }, { startMs: 3, firstMs: 3 }],
      exchanges: [exchange(0), exchange(2)],
    }))
    expect(lines.map((line) => [(line['metadata'] as { ordinal: number }).ordinal, line['exchange_missing'] ?? false])).toEqual([[0, false], [1, true], [2, false]])
    expect(lines[1]).toMatchObject({ responses: [], error: { type: 'ECONNREFUSED' } })
    expect(lines[1]).not.toHaveProperty('status')
    expect(counts).toEqual({ records: 3, with_exchange: 2, without_exchange: 1, complete: false })
  })

  test('a request whose record comes late still finds its exchange', async () => {
    const run = rawRun({ records: [0, 1, 2, 3].map((i) => ({ startMs: i, firstMs: 1 })), exchanges: [0, 1, 2, 3].map((i) => exchange(i)) })
    const { records } = run
    run.records = async function* () {
      const all = []
      for await (const item of records()) all.push(item)
      for (const i of [1, 3, 0, 2]) yield all[i]!
    }
    const { lines, counts } = await rawLines(run)
    expect(lines.map((line) => (line['metadata'] as { ordinal: number }).ordinal)).toEqual([1, 3, 0, 2])
    expect(counts).toEqual({ records: 4, with_exchange: 4, without_exchange: 0, complete: true })
  })

  test('is written at level raw only', async () => {
    expect((await write(rawJsonl, rawRun({ exchanges: [exchange(0)], change: (run) => { run.output.level = 'records' } }))).files.size).toBe(0)
  })
})

describe('inputs.json', () => {
  const read = async (run: RunResult) => JSON.parse((await write(inputsJson, run)).files.get('inputs.json')!) as unknown

  test('holds each conversation with its bodies', async () => {
    const run = runResult({ records: [{ startMs: 0, firstMs: 1 }], inputs: [{ sessionId: 's"1', payloads: ['{"a":1}', '{\r\n  "b": "two  spaces",\n\n  "c": []\n}\n'] }, { sessionId: 's2', payloads: [] }, { sessionId: 's3', payloads: ['--boundary\nno JSON'] }] })
    expect(await read(run)).toEqual({ data: [
      { session_id: 's"1', payloads: [{ a: 1 }, { b: 'two  spaces', c: [] }] },
      { session_id: 's2', payloads: [] },
      { session_id: 's3', payloads: [{ text: '--boundary\nno JSON' }] },
    ] })
  })

  test('is there when nothing was known before the run', async () => {
    expect(await read(runResult({ records: [{ startMs: 0, firstMs: 1 }] }))).toEqual({ data: [] })
  })

  test('any JSON body comes back as it was', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.json(), fc.boolean()).map(([json, pretty]) => (pretty ? JSON.stringify(JSON.parse(json), null, 2) : json)), { maxLength: 3 }), async (payloads) => {
      const run = runResult({ records: [{ startMs: 0, firstMs: 1 }], inputs: [{ sessionId: 's', payloads }] })
      expect(await read(run)).toEqual({ data: [{ session_id: 's', payloads: payloads.map((p) => JSON.parse(p) as unknown) }] })
    }), { numRuns: 100 })
  })
})

describe('outputs.json', () => {
  const records = [{ session: 1, turn: 1, startMs: 5, firstMs: 3, gapsMs: [2] }, { session: 0, startMs: 1, firstMs: 3 }, { session: 1, turn: 0, startMs: 2, firstMs: 3 }, { session: 2, startMs: 3, restMs: 1, outcome: 'timeout' as const }]
  const texts = [{ ordinal: 0, text: 'third' }, { ordinal: 1, text: 'first "quoted"' }, { ordinal: 2, text: 'second' }]
  const outputs = (made: Partial<MadeRun>) => runResult({ records, texts, ...made, change: (run) => { run.output.outputsJson = true; made.change?.(run) } })

  test('holds the texts of successful requests by session and turn', async () => {
    const text = (await write(outputsJson, outputs({}))).files.get('outputs.json')!
    const { schema_version, data } = JSON.parse(text) as { schema_version: string; data: Record<string, unknown>[] }
    expect(schema_version).toBe('1.0')
    expect(data.map((item) => [item['session_num'], item['turn_index'], item['response_text']])).toEqual([[0, 0, 'first "quoted"'], [1, 0, 'second'], [1, 1, 'third']])
    expect(data[2]!['metrics']).toEqual({ input_sequence_length: 100, output_token_count: 2, output_sequence_length: 2, request_latency: 5, time_to_first_token: 3, inter_token_latency: 2 })
    expect(text).toContain('"request_start_ns": 1796036061859766081')
  })

  test('leaves warm-up out', async () => {
    const run = outputs({ phases: [{ name: 'warmup', kind: 'warmup' }, { name: 'profiling', kind: 'profiling' }], records: records.map((record, i) => ({ ...record, phase: i === 1 ? 0 : 1 })) })
    const { data } = JSON.parse((await write(outputsJson, run)).files.get('outputs.json')!) as { data: { response_text: string }[] }
    expect(data.map((item) => item.response_text)).toEqual(['second', 'third'])
  })

  test('is left out unless asked for, and cannot be had from a run that kept no texts', async () => {
    expect((await write(outputsJson, outputs({ change: (run) => { run.output.outputsJson = false } }))).files.size).toBe(0)
    const { texts: _, ...without } = outputs({})
    await expect(write(outputsJson, without)).rejects.toMatchObject({ code: 'E_EXPORT' })
  })
})
