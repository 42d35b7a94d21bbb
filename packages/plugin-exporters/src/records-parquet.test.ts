import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import type { RunResult } from '@aiperf/core'
import { MemoryDir } from '../test/artifact-dir.js'
import { runResult, ZERO } from '../test/run-result.js'
import { failedRun, warmedRun } from '../test/typical.js'
import { readRecords } from '../test/user-scripts.js'
import jsonl from './jsonl.js'
import parquet from './records-parquet.js'

async function file(run: RunResult, enabled = true): Promise<ArrayBuffer | undefined> {
  const dir = new MemoryDir()
  await (await parquet.create({ options: { parquet: enabled } } as never)).write(run, dir)
  const bytes = dir.bytes.get('profile_export.parquet')
  return bytes && new Uint8Array(bytes).buffer
}
const rows = async (run: RunResult) => (await parquetReadObjects({ file: (await file(run))! })) as Record<string, unknown>[]

test('one row per record, with the values of the per-request lines', async () => {
  const dir = new MemoryDir()
  await (await jsonl.create({ options: {} } as never)).write(warmedRun(), dir)
  const lines = readRecords(dir.files.get('profile_export.jsonl')!)
  const table = await rows(warmedRun())
  expect(table).toHaveLength(lines.length)
  const metrics = new Set(lines.flatMap((line) => Object.keys(line.metrics)))
  for (const [i, row] of table.entries()) {
    const { metadata, metrics: values, error } = lines[i]! as (typeof lines)[number] & { error?: { code?: number; type?: string } }
    for (const name of ['phase_index', 'phase_name', 'phase_kind', 'session_num', 'turn_index', 'conversation_id', 'x_request_id', 'x_correlation_id', 'outcome']) expect(row[name], name).toBe(metadata[name])
    for (const tag of metrics) expect(row[tag] ?? undefined, tag).toEqual(values[tag]?.value)
    expect([row['error_code'] ?? undefined, row['error_type'] ?? undefined]).toEqual([error?.code, error?.type])
  }
})

test('times keep all their digits', async () => {
  const [row] = await rows(runResult({ records: [{ startMs: 1, firstMs: 30.000001 }] }))
  expect(row).toMatchObject({ ordinal: 0n, request_start_ns: ZERO + 1_000_000n, first_token_ns: ZERO + 31_000_001n })
})

test('a run without a success, and one without a record, give a readable file', async () => {
  expect(await rows(failedRun())).toHaveLength(10)
  expect((await rows(failedRun()))[0]).toMatchObject({ error_type: 'ECONNREFUSED', outcome: 'connection', first_token_ns: null, http_status: null })
  expect(await rows(runResult({ records: [] }))).toEqual([])
})

test('more rows than a group holds', async () => {
  const count = 20_050
  const run = runResult({ records: [{ startMs: 0, firstMs: 1, gapsMs: [1, 2] }] })
  const { records } = run
  run.metrics = run.metrics.filter(({ tag }) => tag === 'request_latency' || tag === 'inter_chunk_latency')
  run.records = async function* () {
    for await (const { record } of records())
      for (let ordinal = 0; ordinal < count; ordinal++) yield { record: Object.assign(record, { ordinal }), value: (tag) => (tag === 'request_latency' ? ordinal : Float64Array.of(ordinal, 0.5)) }
  }
  const bytes = (await file(run))!
  const metadata = parquetMetadata(bytes)
  expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([20_000, 50])
  const part = (await parquetReadObjects({ file: bytes, columns: ['ordinal', 'request_latency', 'inter_chunk_latency'], rowStart: 19_999, rowEnd: 20_001 })) as unknown[]
  expect(part).toEqual([19_999, 20_000].map((i) => ({ ordinal: BigInt(i), request_latency: i, inter_chunk_latency: [i, 0.5] })))
})

test('the file says what its units are', async () => {
  const { key_value_metadata } = parquetMetadata((await file(warmedRun()))!)
  const values = Object.fromEntries(key_value_metadata!.map(({ key, value }) => [key, value]))
  expect(JSON.parse(values['aiperf.units']!)).toMatchObject({ request_latency: 'ms', input_sequence_length: 'tokens' })
  expect(values).toMatchObject({ 'aiperf.benchmark_id': 'ff88f8da357c', 'aiperf.verdict': 'valid', 'aiperf.complete': 'true' })
})

test('a metric that changes its mind is an error, not a silent loss', async () => {
  const run = runResult({ records: [{ startMs: 0, firstMs: 1 }] })
  const { records } = run
  run.metrics = run.metrics.filter(({ tag }) => tag === 'request_latency')
  run.records = async function* () {
    for await (const { record } of records()) for (let i = 0; i < 20_001; i++) yield { record, value: () => (i < 20_000 ? 1 : Float64Array.of(1)) }
  }
  await expect(file(run)).rejects.toMatchObject({ code: 'E_EXPORT' })
})

test('is written only when asked for', async () => {
  expect(await file(warmedRun(), false)).toBeUndefined()
})
