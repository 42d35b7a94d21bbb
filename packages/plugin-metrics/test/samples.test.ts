import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { batchFromRows, createRowValues, evaluate, type RowFacts } from '@aiperf/engine/evaluate'
import { MS, inputOf, run } from './evaluation.js'

interface Line {
  metrics: Record<string, { value: number | number[]; unit: string }>
}
const lines = (name: string): Line[] => readFileSync(join(import.meta.dirname, 'data', name), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Line)

/** The facts behind a line of a reference's per-request file, as far as its values tell them. */
function factsOf({ metrics }: Line, streaming: boolean): RowFacts {
  const value = (tag: string): number => (metrics[tag]?.value as number | undefined) ?? Number.NaN
  const osl = value('output_sequence_length')
  const times = [value('time_to_first_token')]
  for (const gap of (metrics['inter_chunk_latency']?.value as number[] | undefined) ?? []) times.push(times.at(-1)! + gap)
  const latency = value('request_latency') * MS
  return {
    dispatchedNs: 0,
    ...(streaming ? { tokenNs: times.map((t) => t * MS) } : {}),
    lastTokenNs: latency,
    endNs: latency + 1e6,
    inputTokens: value('input_sequence_length'),
    outputTokens: value('output_token_count'),
    // The signed difference tells what was asked for.
    requestedTokens: osl / (1 + value('osl_mismatch_diff_pct') / 100),
    usagePrompt: value('usage_prompt_tokens'),
    usageCompletion: value('usage_completion_tokens'),
    usageTotal: value('usage_total_tokens'),
    usageCacheRead: value('usage_prompt_cache_read_tokens'),
    bytesSent: value('http_req_data_sent') * 1024,
    bytesReceived: value('http_req_data_received') * 1024,
    reused: value('http_req_connection_reused'),
    reads: value('http_req_chunks_received'),
    writtenNs: 1,
  }
}

/** Their phases overlap; ours are other quantities of the same names. */
const CORRECTED = /^http_req_(blocked|dns_lookup|connecting|sending|waiting|receiving|duration|connection_overhead|total)$/

describe.each([
  ['streamed.jsonl', true, {}],
  ['warmup.jsonl', true, { slos: { request_latency: 250, inter_token_latency: 10 } }],
  ['not-streamed.jsonl', false, {}],
] as const)('requests of %s', async (name, streaming, options) => {
  const rows = lines(name)
  const facts = rows.map((line) => factsOf(line, streaming))
  const input = inputOf(facts, { streaming, ...options })
  const { metrics, context } = await evaluate(input)
  const values = createRowValues(metrics, context, input.manifest)
  values.load(batchFromRows(facts))

  it('give every value that the reference gives', () => {
    rows.forEach((line, row) => {
      for (const [tag, { value, unit }] of Object.entries(line.metrics)) {
        if (CORRECTED.test(tag)) continue
        const ours = values.value(tag, row)
        const metric = metrics.find((m) => m.tag === tag)
        expect(metric?.displayUnit ?? metric?.unit, tag).toBe(unit)
        if (Array.isArray(value)) expect([...(ours as Float64Array)].map((v, i) => Math.abs(v - value[i]!) < 1e-6), tag).not.toContain(false)
        else expect(ours, tag).toBeCloseTo(value, 6)
      }
    })
  })
})

describe('statistics of six requests', async () => {
  const expected = JSON.parse(readFileSync(join(import.meta.dirname, 'data/not-streamed.json'), 'utf8')) as Record<string, Record<string, number>>
  const l = expected['request_latency']!
  // Of six values the percentiles name the second to the fifth: indices 0.5, 1.25, 2.5 and 3.75.
  const x1 = 2 * l['p10']! - l['min']!
  const x2 = x1 + (l['p25']! - x1) / 0.25
  const x3 = 2 * l['p50']! - x2
  const x4 = x3 + (l['p75']! - x3) / 0.75
  const latencies = [l['min']!, x1, x2, x3, x4, l['max']!]
  const rtt = expected['network_rtt']!['avg']!
  const { profiling } = await run(
    latencies.map((ms) => ({ dispatchedNs: 0, lastTokenNs: ms * MS, endNs: ms * MS, outputTokens: expected['total_osl']!['avg']! / 6 })),
    { streaming: false, networkRttMs: rtt },
  )

  it.each(['request_latency', 'network_adjusted_request_latency'])('%s has those of the reference', (tag) => {
    const found = profiling.metrics.get(tag) as unknown as Record<string, number>
    for (const [stat, value] of Object.entries(expected[tag]!)) if (typeof value === 'number') expect(found[stat], stat).toBeCloseTo(value, 8)
  })

  it('rates divide by one window as the reference divides by its own', () => {
    const ratio = (of: (tag: string) => number): number => of('output_token_throughput') / of('request_throughput')
    expect(ratio((tag) => profiling.metrics.get(tag)!.avg!)).toBeCloseTo(ratio((tag) => expected[tag]!['avg']!), 9)
    const rate = profiling.metrics.get('request_throughput')!.avg!
    expect(rate * profiling.window.seconds).toBeCloseTo(expected['request_count']!['avg']!, 12)
  })
})
