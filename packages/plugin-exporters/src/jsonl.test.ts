import { describe, expect, test } from 'vitest'
import { MemoryDir } from '../test/artifact-dir.js'
import { METRICS } from '../test/metrics.js'
import { runResult, ZERO } from '../test/run-result.js'
import { failedRun, typicalRun, warmedRun } from '../test/typical.js'
import jsonl from './jsonl.js'
import type { RunResult } from '@aiperf/core'

const context = { options: {}, random: () => { throw new Error('no chance here') } }

async function write(run: RunResult, prefix?: string): Promise<string> {
  const dir = new MemoryDir(prefix === undefined ? {} : { prefix })
  await (await jsonl.create(context as never)).write(run, dir)
  return dir.files.get(prefix === undefined ? 'profile_export.jsonl' : `${prefix}.jsonl`) ?? ''
}
interface Line {
  metadata: Record<string, unknown>
  metrics: Record<string, { value: number | number[]; unit: string }>
  trace_data?: Record<string, unknown>
  error?: Record<string, unknown>
}
const parse = (text: string): Line[] => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Line)

describe('profile_export.jsonl', () => {
  test('has one line per request in order of ordinal, warm-up and failures included', async () => {
    const lines = parse(await write(warmedRun()))
    expect(lines.map((line) => line.metadata['ordinal'])).toEqual(Array.from({ length: 44 }, (_, i) => i))
    expect(lines.filter((line) => line.metadata['benchmark_phase'] === 'warmup')).toHaveLength(4)
    expect(lines.filter((line) => line.error !== undefined)).toHaveLength(3)
    expect(lines[0]!.metadata).toMatchObject({ phase_index: 0, phase_name: 'warmup', phase_kind: 'warmup' })
    expect(lines[0]!.metadata).not.toHaveProperty('profiling_index')
    expect(lines[4]!.metadata).toMatchObject({ phase_index: 1, profiling_index: 0, phase_name: 'profiling', session_num: 0, turn_index: 0 })
  })

  test('golden line', async () => {
    const run = runResult({ records: [{ startMs: 1, firstMs: 30.5, gapsMs: [4.000001, 5.5], inputTokens: 100 }] })
    expect(await write(run)).toBe(
      '{"metadata":{"session_num":0,"x_request_id":"request-0","x_correlation_id":"correlation-0-0","conversation_id":"session_000000","turn_index":0,' +
        '"credit_issued_ns":1796036061855756081,"request_start_ns":1796036061855766081,"request_ack_ns":1796036061886166081,"request_end_ns":1796036061896266082,' +
        '"worker_id":"worker_0","record_processor_id":"record_processor_0","benchmark_phase":"profiling","phase_index":0,"profiling_index":0,"phase_name":"profiling","phase_kind":"profiling",' +
        '"was_cancelled":false,"context_overflow_skip":false,"agent_depth":0,"root_correlation_id":"correlation-0-0","ordinal":0,"request_due_ns":1796036061855746081,"outcome":"done","finish_reason":"stop"},' +
        '"metrics":{"request_latency":{"value":40.000001,"unit":"ms"},"time_to_first_token":{"value":30.5,"unit":"ms"},"time_to_second_token":{"value":4.000001,"unit":"ms"},' +
        '"inter_token_latency":{"value":4.7500005,"unit":"ms"},"inter_chunk_latency":{"value":[4.000001,5.5],"unit":"ms"},"output_token_throughput_per_user":{"value":210.5262936288112,"unit":"tokens/sec/user"},' +
        '"input_sequence_length":{"value":100,"unit":"tokens"},"output_sequence_length":{"value":3,"unit":"tokens"},"output_token_count":{"value":3,"unit":"tokens"},' +
        '"http_req_waiting":{"value":29.12,"unit":"ms"},"schedule_lag":{"value":0.02,"unit":"ms"},"good_request_count":{"value":1,"unit":"requests"}}}\n',
    )
  })

  test('speculative decoding is there for requests that reported it', async () => {
    const spec: Record<string, number> = { spec_decode_steps: 10, spec_decode_accepted_draft_tokens: 12, spec_decode_draft_tokens: 30, spec_decode_acceptance_length: 2.2, spec_decode_draft_acceptance_rate: 40 }
    const lines = parse(await write(typicalRun((run) => {
      const records = run.records
      run.records = async function* () {
        for await (const { record, value } of records()) {
          const reported = record.ordinal === 1
          yield { record: reported ? Object.assign(record, { field: () => [3, 0, 5, 2] }) : record, value: (tag) => (reported ? spec[tag] : undefined) ?? value(tag) }
        }
      }
    })))
    expect(lines[0]).not.toHaveProperty('spec_decode_acceptance')
    expect(lines[1]).toHaveProperty('spec_decode_acceptance', {
      engine: 'vllm', mean_acceptance_length: 2.2, draft_acceptance_rate: 0.4, acceptance_histogram: { 0: 3, 2: 5, 3: 2 },
      num_accepted_draft_tokens: 12, num_draft_tokens: 30, num_spec_steps: 10,
    })
  })

  test('numbers are exactly those of the record', async () => {
    const run = typicalRun()
    const lines = parse(await write(run))
    for await (const { record, value } of run.records()) {
      const { metrics } = lines[record.ordinal]!
      for (const metric of METRICS) {
        const expected = value(metric.tag)
        const hidden = metric.internal || metric.kind === 'derived' || metric.kind === 'curve' || metric.tag === 'request_count' || metric.tag === 'error_request_count'
        if (expected === undefined || hidden) expect(metrics).not.toHaveProperty(metric.tag)
        else expect(metrics[metric.tag]!.value).toEqual(typeof expected === 'number' ? expected : [...expected])
      }
    }
  })

  test('times are all 19 digits of the wall clock', async () => {
    const text = await write(typicalRun())
    const starts = [...text.matchAll(/"request_start_ns":(\d+)/g)].map((m) => BigInt(m[1]!))
    const expected: bigint[] = []
    for await (const { record } of typicalRun().records()) expected.push(ZERO + BigInt(record.dispatchedNs))
    expect(starts).toEqual(expected)
  })

  test('a failed request has its error and only metrics of failures', async () => {
    const lines = parse(await write(failedRun()))
    expect(lines).toHaveLength(10)
    for (const line of lines) {
      expect(line.error).toEqual({ type: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:9', category: 'connection' })
      expect(Object.keys(line.metrics)).toEqual(['error_isl'])
      expect(line.metadata).not.toHaveProperty('request_ack_ns')
      expect(line.metadata).toHaveProperty('request_end_ns')
    }
  })

  test('a request that was cut is marked so, and is no success even without an error of its own', async () => {
    const [censored, cancelled] = parse(await write(runResult({ records: [{ startMs: 0, restMs: 9, outcome: 'censored' }, { startMs: 1, restMs: 2, outcome: 'cancelled' }] })))
    expect(censored).toMatchObject({ metadata: { was_cancelled: true, outcome: 'censored' }, error: { category: 'censored' } })
    expect(cancelled).toMatchObject({ metadata: { was_cancelled: true }, error: { code: 499, category: 'cancelled' } })
    expect(BigInt(/"cancellation_time_ns":(\d+)/.exec(await write(runResult({ records: [{ startMs: 1, restMs: 2, outcome: 'cancelled' }] })))![1]!)).toBe(ZERO + 3_000_000n)
  })

  test('what is no number is left out, whatever a metric returns', async () => {
    const run = typicalRun()
    run.records = async function* () {
      for await (const { record } of typicalRun().records())
        yield { record, value: (tag) => (tag === 'request_latency' ? Number.NaN : tag === 'time_to_first_token' ? Number.POSITIVE_INFINITY : tag === 'inter_chunk_latency' ? Float64Array.of(1, Number.NaN) : undefined) }
    }
    expect(parse(await write(run))[0]!.metrics).toEqual({ inter_chunk_latency: { value: [1, null], unit: 'ms' } })
  })

  test('texts of any kind stay JSON', async () => {
    const strange = 'a "quoted"\\ line\nbreak\u0000 é 😀 \ud800'
    const run = runResult({ records: [{ startMs: 0, restMs: 1, outcome: 'server_error', error: { type: strange, message: strange, category: 'server_error' } }] })
    run.conversationId = () => strange
    const [line] = parse(await write(run))
    expect(line!.error).toMatchObject({ message: JSON.parse(JSON.stringify(strange)) as string })
    expect(line!.metadata['conversation_id']).toBe(JSON.parse(JSON.stringify(strange)))
  })

  test('internal metrics appear when asked for', async () => {
    const run = typicalRun((r) => { r.output.internalMetrics = true })
    expect(parse(await write(run))[0]!.metrics).toHaveProperty('requested_osl')
  })

  test('--export-http-trace adds the steps of the exchange', async () => {
    const run = typicalRun((r) => { r.output.httpTrace = true })
    const [first, , third] = parse(await write(run))
    expect(first!.trace_data).toMatchObject({ response_status_code: 200, response_chunks_count: 20, request_bytes_total: 612, connecting_ns: 1_200_000, sending_ns: 60_000 })
    expect(first!.trace_data).toHaveProperty('tcp_connect_end_ns')
    expect(third!.trace_data).toHaveProperty('connection_reused_ns')
    expect(third!.trace_data).not.toHaveProperty('tcp_connect_end_ns')
    const parts = third!.trace_data as Record<string, number>
    expect(parts['sending_ns']! + parts['waiting_ns']! + parts['receiving_ns']!).toBe(parts['duration_ns'])
  })

  test('takes the prefix, and is left out at level summary', async () => {
    expect(await write(typicalRun(), 'foo')).not.toBe('')
    expect(await write(typicalRun((r) => { r.output.level = 'summary' }))).toBe('')
  })
})
