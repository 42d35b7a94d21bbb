import type { JsonObject, SeriesSummary, TelemetryResult } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { averages, FAILED, run, inMs, type MsFacts, type Options } from './evaluation.js'
import { allMetrics } from './metrics.js'

/** A streamed request: due at 0, dispatched at 2, tokens at 52, 57, 67 and 72 ms, last byte at 80. */
const STREAM: MsFacts = {
  turn: 0,
  dueNs: 0,
  claimedNs: 1,
  dispatchedNs: 2,
  assignedNs: 3,
  writtenNs: 3.5,
  firstByteNs: 50,
  headNs: 51,
  tokensMs: [52, 57, 67, 72],
  endNs: 80,
  reused: 1,
  bytesSent: 2048,
  bytesReceived: 512,
  reads: 6,
  status: 200,
  inputTokens: 100,
  outputTokens: 7,
  reasoningTokens: 4,
  requestedTokens: 10,
  usagePrompt: 110,
  usageCompletion: 11,
  usageTotal: 121,
  usageReasoning: 5,
  usageCacheRead: 55,
  usageCacheWrite: 3,
  usageCacheMiss: 52,
  usagePromptAudio: 6,
  usagePromptAudioSeconds: 1.5,
  usageCompletionAudio: 2,
  usageAcceptedPrediction: 4,
  usageRejectedPrediction: 1,
  usageToolUsePrompt: 9,
  images: 2,
  audioSeconds: 7,
  prefixHitBlocks: 3,
  prefixBlocks: 12,
}
const SPEC: JsonObject = {
  spec_decode_steps: 10,
  spec_decode_accepted_tokens: 12,
  spec_decode_draft_tokens: 30,
  spec_decode_acceptance_histogram: [3, 2, 5],
  spec_decode_acceptance_length: 2.2,
  spec_decode_acceptance_rate: 0.4,
  inference_time_s: 4,
  peak_memory_mb: 900,
}

/** Every metric of one request, worked out by hand: times in ms, rates per second. */
const ONE: Record<string, number> = {
  request_latency: 70,
  time_to_first_token: 50,
  time_to_second_token: 5,
  time_to_first_output_token: 50,
  decode_duration: 20,
  stream_setup_latency: 49,
  stream_prefill_latency: 1,
  time_to_response_headers: 49,
  stream_end_latency: 78,
  stream_tail_latency: 8,
  credit_drop_latency: 1,
  response_time: 72,
  response_time_to_first_token: 52,
  schedule_lag: 2,
  credit_to_start_latency: 1,
  client_write_latency: 1.5,
  effective_latency: 80,
  inter_token_latency: 2,
  total_inter_token_time: 0.02,
  total_inter_token_count: 10,
  inter_token_latency_weighted: 2,
  inter_chunk_latency: 20 / 3,
  tokens_per_chunk: 11 / 4,
  input_sequence_length: 100,
  output_sequence_length: 11,
  output_token_count: 7,
  reasoning_token_count: 4,
  total_isl: 100,
  total_osl: 11,
  total_output_tokens: 7,
  total_reasoning_tokens: 4,
  requested_osl: 10,
  osl_mismatch_diff_pct: 10,
  osl_mismatch_count: 0,
  thinking_efficiency: 4 / 7,
  overall_thinking_efficiency: 4 / 7,
  benchmark_duration: 0.078,
  min_request_timestamp: 2e6,
  max_response_timestamp: 72e6,
  request_throughput: 1 / 0.078,
  input_token_throughput: 100 / 0.078,
  output_token_throughput: 11 / 0.078,
  total_token_throughput: 111 / 0.078,
  output_token_throughput_per_user: 500,
  e2e_output_token_throughput: 11 / 0.07,
  prefill_throughput_per_user: 2000,
  request_count: 1,
  completed_request_count: 1,
  request_error_rate: 0,
  dispatched_request_count: 1,
  min_due_timestamp: 0,
  max_due_timestamp: 0,
  min_dispatched_timestamp: 2e6,
  max_dispatched_timestamp: 2e6,
  good_request_count: 1,
  goodput: 1 / 0.078,
  good_request_fraction: 1,
  usage_prompt_tokens: 110,
  usage_completion_tokens: 11,
  usage_total_tokens: 121,
  usage_reasoning_tokens: 5,
  usage_prompt_cache_read_tokens: 55,
  usage_prompt_cache_write_tokens: 3,
  usage_prompt_cache_miss_tokens: 52,
  usage_prompt_audio_tokens: 6,
  usage_prompt_audio_seconds: 1.5,
  usage_completion_audio_tokens: 2,
  usage_accepted_prediction_tokens: 4,
  usage_rejected_prediction_tokens: 1,
  usage_tool_use_prompt_tokens: 9,
  total_usage_prompt_tokens: 110,
  total_usage_completion_tokens: 11,
  total_usage_total_tokens: 121,
  total_usage_reasoning_tokens: 5,
  total_usage_prompt_cache_read_tokens: 55,
  total_usage_prompt_cache_write_tokens: 3,
  total_usage_prompt_cache_miss_tokens: 52,
  total_usage_prompt_audio_tokens: 6,
  total_usage_prompt_audio_seconds: 1.5,
  total_usage_completion_audio_tokens: 2,
  total_usage_accepted_prediction_tokens: 4,
  total_usage_rejected_prediction_tokens: 1,
  total_usage_tool_use_prompt_tokens: 9,
  overall_usage_prompt_cache_read_pct: 50,
  usage_prompt_tokens_diff_pct: 10,
  usage_completion_tokens_diff_pct: 0,
  usage_reasoning_tokens_diff_pct: 25,
  usage_discrepancy_count: 1,
  // Over the window of 78 ms: 50 ms of prefill, 28 ms of decode (20 to the last token), then nothing.
  effective_concurrency: 1,
  effective_prefill_concurrency: 50 / 78,
  effective_decode_concurrency: 28 / 78,
  effective_prefill_throughput: 100 / 0.078,
  effective_decode_throughput: 10 / 0.078,
  effective_total_throughput: 110 / 0.078,
  effective_prefill_throughput_per_user: 100 / 0.078,
  effective_decode_throughput_per_user: 10 / 0.078,
  // 100 from the start, then 1, and 10/3 with each further chunk, until the end.
  tokens_in_flight: (100 * 78 + 28 + ((10 / 3) * (23 + 13 + 8))) / 78,
  active_prefill_throughput: 100 / 0.05,
  active_decode_throughput: 10 / 0.028,
  active_prefill_throughput_per_user: 100 / 0.05,
  active_decode_throughput_per_user: 10 / 0.028,
  active_total_throughput: 110 / 0.078,
  http_req_blocked: 1,
  http_req_dns_lookup: 0,
  http_req_connecting: 0,
  http_req_tls_handshaking: 0,
  http_req_sending: 0.5,
  http_req_waiting: 46.5,
  http_req_receiving: 30,
  http_req_connection_reused: 1,
  http_req_data_sent: 2,
  http_req_chunks_sent: 1,
  http_req_data_received: 0.5,
  http_req_chunks_received: 6,
  http_req_connection_overhead: 1,
  http_req_duration: 77,
  http_req_total: 78,
  network_adjusted_request_latency: 67,
  network_adjusted_time_to_first_token: 47,
  network_adjusted_time_to_first_output_token: 47,
  network_rtt: 3,
  replay_send_schedule_offset: 2e6,
  replay_sched_lag_p50: 2,
  replay_sched_lag_p90: 2,
  replay_sched_lag_p99: 2,
  replay_sched_degraded: 0,
  prefix_hit_blocks: 3,
  prefix_blocks: 12,
  theoretical_prefix_cache_hit: 25,
  spec_decode_reported: 1,
  spec_decode_acceptance_length: 2.2,
  spec_decode_draft_acceptance_rate: 40,
  spec_decode_accepted_per_verified: 22 / 40,
  spec_decode_steps: 10,
  spec_decode_accepted_draft_tokens: 12,
  spec_decode_draft_tokens: 30,
  total_spec_decode_steps: 10,
  total_accepted_draft_tokens: 12,
  total_draft_tokens: 30,
  spec_decode_token_weighted_acceptance_length: 2.2,
  spec_decode_overall_draft_acceptance_rate: 40,
  num_images: 2,
  image_throughput: 2 / 0.07,
  image_latency: 35,
  audio_duration: 7,
  rtfx: 100,
  video_inference_time: 4000,
  video_peak_memory: 900,
  // 300 W over 78 ms by the counters' 24 J.
  nvidia_total_gpu_power: 300,
  nvidia_total_gpu_energy: 24,
  nvidia_average_gpu_power: 24 / 0.078,
  nvidia_energy_per_request: 24,
  nvidia_energy_per_output_token: 24_000 / 11,
  nvidia_energy_per_total_token: 24_000 / 111,
  nvidia_output_tokens_per_joule: 11 / 24,
  nvidia_energy_per_user: 24,
  nvidia_energy_delay_product: 24 * 0.07,
  nvidia_performance_per_watt: 1 / 24,
  nvidia_output_tps_per_watt: 11 / 24,
  nvidia_goodput_per_watt: 1 / 24,
  // No counters: 500 W × 78 ms.
  amd_total_gpu_power: 500,
  amd_total_gpu_energy: 39,
  amd_average_gpu_power: 500,
  amd_energy_per_request: 39,
  amd_energy_per_output_token: 39_000 / 11,
  amd_energy_per_total_token: 39_000 / 111,
  amd_output_tokens_per_joule: 11 / 39,
  amd_energy_per_user: 39,
  amd_energy_delay_product: 39 * 0.07,
  amd_performance_per_watt: 1 / 39,
  amd_output_tps_per_watt: 11 / 39,
  amd_goodput_per_watt: 1 / 39,
}
/** Metrics that one successful request cannot have. */
const NEED_OTHERS = new Set([
  'spec_decode_acceptance_histogram',
  'error_request_count',
  'context_overflow_count',
  'error_isl',
  'total_error_isl',
  'cancelled_request_count',
  'unfinished_request_count',
  'unfinished_age',
  'retried_request_count',
  'offered_request_rate',
  'achieved_request_rate',
])

const gauge = (name: string, gpu: string, avg: number): SeriesSummary =>
  ({ series: { name, type: 'gauge', unit: 'W', description: '', labels: {}, subject: { kind: 'gpu', id: gpu, name: gpu, attributes: { uuid: gpu } } }, target: 0, gauge: { avg } }) as unknown as SeriesSummary
const counter = (name: string, gpu: string, total: number): SeriesSummary =>
  ({ series: { name, type: 'counter', unit: 'MJ', description: '', labels: {}, subject: { kind: 'gpu', id: gpu, name: gpu, attributes: { uuid: gpu } } }, target: 0, counter: { total } }) as unknown as SeriesSummary

/** Two NVIDIA GPUs, one of them seen by two sources; one AMD GPU without an energy counter. */
const POWER: SeriesSummary[] = [
  gauge('nvidia_power_usage', 'A', 100),
  gauge('nvidia_power_usage', 'B', 200),
  counter('nvidia_energy_consumption', 'A', 8e-6),
  counter('nvidia_energy_consumption', 'B', 16e-6),
  gauge('amd_power', 'C', 500),
]
const telemetryOf = (summaries: SeriesSummary[]): TelemetryResult =>
  ({ source: 'x', series: summaries.map(({ series }) => ({ series, target: 0 })), targets: [], summarise: (_: unknown, name?: string) => summaries.filter(({ series }) => name === undefined || series.name === name) }) as unknown as TelemetryResult

const EVERYTHING: Options = {
  mode: 'fixed_schedule',
  slos: { request_latency: 70 },
  experimental: true,
  media: ['image', 'audio'],
  producesVideos: true,
  networkRttMs: 3,
  telemetry: [telemetryOf(POWER), telemetryOf(POWER.slice(0, 1))],
}

describe('every metric of one request', async () => {
  const found = await averages([{ ...STREAM, fields: SPEC }], EVERYTHING)

  it.each(Object.entries(ONE))('%s', (tag, expected) => {
    expect(found[tag]).toBeCloseTo(expected, 6)
  })

  it('is in the table', () => {
    expect(allMetrics.map((m) => m.tag).filter((tag) => !(tag in ONE) && !NEED_OTHERS.has(tag))).toEqual([])
    expect(Object.keys(found).filter((tag) => !(tag in ONE) && !NEED_OTHERS.has(tag))).toEqual([])
  })
})

describe('tokens', () => {
  it('reasoning comes first: time to first output token waits for the text', async () => {
    const found = await averages([{ ...STREAM, firstOutputNs: 67 }])
    expect(found).toMatchObject({ time_to_first_token: 50, time_to_first_output_token: 65 })
  })

  it('per-chunk usage says how many tokens the first chunk held', async () => {
    const row = { ...STREAM, tokenCounts: [3, 2, 2, 4] }
    expect((await averages([row], { perChunkUsage: true })).inter_token_latency).toBeCloseTo(20 / 8)
    expect((await averages([row])).inter_token_latency).toBeCloseTo(2)
    // All tokens in the first chunk: nothing to divide by.
    expect((await averages([{ ...row, tokenCounts: [11] }], { perChunkUsage: true })).inter_token_latency).toBeCloseTo(2)
  })

  it('the weighted inter-token latency weighs long answers more', async () => {
    const short: MsFacts = { dispatchedNs: 0, tokensMs: [10, 30], endNs: 31, inputTokens: 1, outputTokens: 2 }
    const long: MsFacts = { dispatchedNs: 0, tokensMs: [10, 20], endNs: 31, inputTokens: 1, outputTokens: 11 }
    const found = await averages([short, long])
    expect(found.inter_token_latency).toBeCloseTo((20 + 1) / 2)
    expect(found.inter_token_latency_weighted).toBeCloseTo(30 / 11)
  })

  it('outputs of one token have a latency but no inter-token latency', async () => {
    const { profiling } = await run([inMs({ dispatchedNs: 0, tokensMs: [10], endNs: 11, inputTokens: 5, outputTokens: 1 })])
    expect(profiling.metrics.get('time_to_first_token')?.count).toBe(1)
    expect(profiling.absent).toContainEqual({ tag: 'inter_token_latency', reason: 'every output had fewer than 2 tokens' })
    expect(profiling.absent).toContainEqual({ tag: 'output_token_throughput_per_user', reason: 'needs inter_token_latency: every output had fewer than 2 tokens' })
  })

  it.each([
    [4, 5, 0],
    [4, 6, 1],
    [1000, 1050, 0],
    [1000, 1051, 1],
    [100_000, 100_051, 1],
  ])('asked for %i, got %i: mismatches %i', async (requested, got, expected) => {
    expect((await averages([{ ...STREAM, requestedTokens: requested, outputTokens: got, reasoningTokens: Number.NaN }])).osl_mismatch_count).toBe(expected)
  })
})

describe('without streaming', async () => {
  const body: MsFacts = { outcome: 'body', dispatchedNs: 0, assignedNs: 0, writtenNs: 1, firstByteNs: 90, headNs: 91, lastTokenNs: 100, endNs: 100, inputTokens: 10, outputTokens: 20, reads: 1 }
  const found = await averages([body], { streaming: false })

  it('latency is to the end of the body, and waiting ends with its first byte', () => {
    expect(found).toMatchObject({ request_latency: 100, http_req_waiting: 89, http_req_receiving: 10, e2e_output_token_throughput: 200 })
  })

  it('what needs a stream is absent, not zero', () => {
    for (const tag of ['time_to_first_token', 'inter_token_latency', 'effective_decode_throughput', 'tokens_in_flight', 'active_prefill_throughput']) expect(found).not.toHaveProperty(tag)
    expect(found.effective_concurrency).toBe(1)
  })
})

describe('HTTP phases', () => {
  it('of a new connection follow one another and add up', async () => {
    const found = await averages([{ ...STREAM, reused: 0, dnsNs: 4, tcpNs: 9, tlsNs: 19, assignedNs: 20, writtenNs: 21 }])
    expect(found).toMatchObject({ http_req_dns_lookup: 2, http_req_connecting: 5, http_req_tls_handshaking: 10, http_req_blocked: 1, http_req_connection_overhead: 18, http_req_sending: 1, http_req_waiting: 29 })
    const parts = ['blocked', 'dns_lookup', 'connecting', 'tls_handshaking', 'sending', 'waiting', 'receiving'].map((name) => found[`http_req_${name}`]!)
    expect(parts.reduce((a, b) => a + b, 0)).toBeCloseTo(found.http_req_total!, 9)
    expect(found.http_req_total).toBe(78)
  })

  it('of an address without TLS have no time for names and handshakes', async () => {
    expect(await averages([{ ...STREAM, reused: 0, tcpNs: 3 }])).toMatchObject({ http_req_dns_lookup: 0, http_req_connecting: 1, http_req_tls_handshaking: 0, http_req_blocked: 0 })
  })

  it('are unknown where the transport does not say', async () => {
    const found = await averages([{ ...STREAM, assignedNs: Number.NaN, writtenNs: Number.NaN }])
    for (const tag of ['http_req_blocked', 'http_req_sending', 'http_req_waiting', 'http_req_total', 'client_write_latency']) expect(found).not.toHaveProperty(tag)
  })
})

describe('requests that do not succeed', async () => {
  const rows: MsFacts[] = [
    { ...STREAM },
    { ...STREAM, dispatchedNs: 2, tokensMs: [62, 67, 77, 82], endNs: 90 },
    FAILED('http_error', { dispatchedNs: 5, endNs: 6, dueNs: 5, inputTokens: 40 }),
    FAILED('context_overflow', { dispatchedNs: 5, endNs: 7, dueNs: 5, inputTokens: 60 }),
    FAILED('cancelled', { dispatchedNs: 5, endNs: 30, dueNs: 5, inputTokens: 1000 }),
    FAILED('censored', { dispatchedNs: 10, endNs: 210, dueNs: 5, inputTokens: 1000, retried: 1 }),
  ]
  const { profiling } = await run(rows.map(inMs), { mode: 'request_rate', slos: { request_latency: 75 } })
  const avg = (tag: string): number | undefined => profiling.metrics.get(tag)?.avg

  it('are counted by what became of them', () => {
    expect(avg('request_count')).toBe(2)
    expect(avg('error_request_count')).toBe(2)
    expect(avg('context_overflow_count')).toBe(1)
    expect(avg('completed_request_count')).toBe(4)
    expect(avg('request_error_rate')).toBe(50)
    expect(avg('cancelled_request_count')).toBe(1)
    expect(avg('unfinished_request_count')).toBe(1)
    expect(avg('retried_request_count')).toBe(1)
    expect(avg('dispatched_request_count')).toBe(6)
  })

  it('leave the latencies of the others alone', () => {
    expect(profiling.metrics.get('request_latency')).toMatchObject({ count: 2, avg: 75, max: 80 })
    expect(avg('total_isl')).toBe(200)
    expect(avg('error_isl')).toBe(50)
    expect(avg('total_error_isl')).toBe(100)
    expect(avg('unfinished_age')).toBe(200)
  })

  it('are not good', () => {
    expect(avg('good_request_count')).toBe(1)
    expect(avg('good_request_fraction')).toBe(0.25)
  })

  it('count as infinitely bad in error-adjusted rows', () => {
    // Four values, two of them infinite: index 0.75 lies between the first two.
    const adjusted = profiling.metrics.get('adj_request_latency')!
    expect(adjusted).toMatchObject({ count: 4, min: 70, header: 'Request Latency (error-adjusted)', unit: 'ms' })
    expect(adjusted.p25).toBeCloseTo(77.5)
    for (const gone of ['p50', 'p99', 'max', 'avg', 'std', 'sum'] as const) expect(adjusted[gone]).toBeUndefined()
    expect([...profiling.metrics.keys()].filter((tag) => tag.startsWith('adj_')).toSorted()).toEqual(['adj_decode_duration', 'adj_inter_token_latency', 'adj_request_latency', 'adj_time_to_first_token'])
  })

  it('unfinished, raise the estimate of the percentiles', () => {
    expect(profiling.metrics.get('request_latency_with_unfinished')).toMatchObject({ count: 3, p50: 80, unit: 'ms' })
    expect(profiling.metrics.get('request_latency_with_unfinished')?.p90).toBeUndefined()
  })

  it('are under way as long as they are', () => {
    // Window: 2 … 90 ms, the unfinished one does not stretch it.
    expect(profiling.window).toEqual({ startNs: 2e6, endNs: 90e6, seconds: 0.088 })
    expect(avg('effective_concurrency')).toBeCloseTo((78 + 88 + 1 + 2 + 25 + 80) / 88)
  })

  it('are told by error, the deliberate ones left out', () => {
    expect(profiling.errors.map(({ error, count }) => [error.category, count])).toEqual([
      ['http_error', 1],
      ['context_overflow', 1],
    ])
  })
})

describe('goodput', () => {
  const rows: MsFacts[] = [0, 10, 20].map((more) => ({ ...STREAM, tokensMs: [52 + more, 57 + more, 67 + more, 72 + more], endNs: 80 + more, outputTokens: 7 + more }))

  it('compares in the unit shown, at most or at least', async () => {
    expect((await averages(rows, { slos: { time_to_first_token: 60 } })).good_request_count).toBe(2)
    expect((await averages(rows, { slos: { time_to_first_token: 60, output_sequence_length: 21 } })).good_request_count).toBe(1)
  })

  it('fails a request that lacks the value', async () => {
    expect((await averages(rows, { slos: { num_images: 1 } })).good_request_count).toBe(0)
  })
})

describe('rates of an open loop', () => {
  it('offered is by due times with those dropped, achieved by dispatches', async () => {
    const rows: MsFacts[] = Array.from({ length: 11 }, (_, i) => ({ ...STREAM, dueNs: i * 100, dispatchedNs: i * 110, tokensMs: [i * 110 + 50], endNs: i * 110 + 60 }))
    const found = await averages(rows, { mode: 'request_rate', phases: [{ counts: { skipped: 5 } as never }] })
    expect(found.offered_request_rate).toBeCloseTo(15)
    expect(found.achieved_request_rate).toBeCloseTo(10 / 1.1)
    expect(found.schedule_lag).toBeCloseTo(50)
  })

  it('are none of a closed loop', async () => {
    const found = await averages([STREAM, STREAM])
    expect(found).not.toHaveProperty('offered_request_rate')
    expect(found).not.toHaveProperty('response_time')
  })
})

describe('speculative decoding', () => {
  const reported = async (fields: JsonObject): Promise<number | undefined> => (await averages([{ ...STREAM, fields }])).spec_decode_steps

  it('is not taken from a report that contradicts itself', async () => {
    expect(await reported(SPEC)).toBe(10)
    expect(await reported({ ...SPEC, spec_decode_acceptance_histogram: [4, 2, 5] })).toBeUndefined()
    expect(await reported({ ...SPEC, spec_decode_acceptance_histogram: [2, 3, 5] })).toBeUndefined()
    expect(await reported({ ...SPEC, spec_decode_draft_tokens: 11 })).toBeUndefined()
  })

  it('is worked out where the server gives only counts', async () => {
    const found = await averages([{ ...STREAM, fields: { spec_decode_steps: 10, spec_decode_accepted_tokens: 12, spec_decode_draft_tokens: 30 } }])
    expect(found).toMatchObject({ spec_decode_acceptance_length: 2.2, spec_decode_draft_acceptance_rate: 40 })
  })
})

describe('a tally', () => {
  const steps = (histogram: number[]): MsFacts => ({
    ...STREAM,
    fields: { spec_decode_steps: histogram.reduce((a, b) => a + b), spec_decode_acceptance_histogram: histogram },
  })
  const phase = (at: number, row: MsFacts): MsFacts => ({ ...row, phase: at })

  it('adds up lists of different length place by place, for each phase and for all together, in any order', async () => {
    const rows = [phase(0, steps([3, 0, 5])), phase(1, steps([1, 4])), phase(0, steps([2])), phase(0, { ...FAILED, phase: 0 })]
    for (const order of [rows, rows.toReversed()]) {
      const { phases, profiling } = await run(order.map(inMs), { phases: [{}, {}], batchRows: 2 })
      const tallies = [...phases, profiling].map(({ metrics }) => metrics.get('spec_decode_acceptance_histogram')?.tally)
      expect(tallies).toEqual([[5, 0, 5], [1, 4], [6, 4, 5]])
    }
  })

  it('is of whole phases, and absent without contributions', async () => {
    const { profiling } = await run([steps([3, 0, 5])].map(inMs), { sliceSeconds: 0.01 })
    expect(profiling.slices.every(({ metrics }) => !metrics.has('spec_decode_acceptance_histogram'))).toBe(true)
    expect((await run([STREAM].map(inMs))).profiling.metrics.has('spec_decode_acceptance_histogram')).toBe(false)
  })
})

describe('values of single requests', () => {
  it('are at most their end', async () => {
    const found = await averages([STREAM])
    expect(found.time_to_response_headers!).toBeLessThanOrEqual(found.time_to_first_token!)
    expect(found.time_to_first_token!).toBeLessThanOrEqual(found.request_latency!)
    expect(found.request_latency!).toBeLessThanOrEqual(found.stream_end_latency!)
  })
})
