import { defineMetric, type CurveBuilder, type CurveMetric, type RecordView } from '@aiperf/core'
import { outputLength } from './facts.js'

/**
 * What the server had to do at each moment: curves over time, made of what every request contributes while it is under
 * way, whether it succeeds in the end or not. Averages are over the whole window; `active.ts` has the same curves
 * averaged over busy time only.
 */

/** A constant between two times; nothing when one is missing or they do not follow one another. */
function hold(curve: CurveBuilder, fromNs: number, toNs: number, value: number): void {
  if (!(toNs > fromNs)) return
  curve.add(fromNs, value)
  curve.add(toNs, -value)
}

/** Prefill ends with the first token; a request that got none was in prefill to its end. */
const prefillEnd = (r: RecordView): number => (Number.isNaN(r.firstTokenNs) ? r.endNs : r.firstTokenNs)

export function concurrency(r: RecordView, curve: CurveBuilder): void {
  hold(curve, r.dispatchedNs, r.endNs, 1)
}

export function prefillConcurrency(r: RecordView, curve: CurveBuilder): void {
  hold(curve, r.dispatchedNs, prefillEnd(r), 1)
}

export function decodeConcurrency(r: RecordView, curve: CurveBuilder): void {
  hold(curve, r.firstTokenNs, r.endNs, 1)
}

/** The input, spread over the time to the first token. */
export function prefill(r: RecordView, curve: CurveBuilder): void {
  const seconds = (r.firstTokenNs - r.dispatchedNs) / 1e9
  if (r.inputTokens > 0 && seconds > 0) hold(curve, r.dispatchedNs, r.firstTokenNs, r.inputTokens / seconds)
}

let steps = new Float64Array(1024)

/** The tokens after the first, an equal share for every gap between chunks that took time. */
export function decode(r: RecordView, curve: CurveBuilder): void {
  const tokens = (outputLength(r) ?? 0) - 1
  if (!(tokens > 0)) return
  const times = r.tokenNs
  const gaps = countGaps(times)
  if (gaps === 0) {
    hold(curve, r.firstTokenNs, r.endNs, tokens / ((r.endNs - r.firstTokenNs) / 1e9))
    return
  }
  if (steps.length < times.length) steps = new Float64Array(times.length * 2)
  rateSteps(times, (tokens / gaps) * 1e9, steps)
  curve.addEach(times, steps.subarray(0, times.length))
}

function countGaps(times: Float64Array): number {
  let gaps = 0
  for (let i = 1; i < times.length; i++) if (times[i]! > times[i - 1]!) gaps++
  return gaps
}

/** Changes of the rate at each time, when every gap that took time has the same amount spread over it. */
function rateSteps(times: Float64Array, share: number, out: Float64Array): void {
  let rate = 0
  let from = 0
  for (let i = 1; i < times.length; i++) {
    const gap = times[i]! - times[from]!
    if (!(gap > 0)) {
      out[i] = 0
      continue
    }
    const here = share / gap
    out[from] = here - rate
    rate = here
    from = i
  }
  out[from] = -rate
}

/** Input tokens from dispatch, output tokens as they come; all gone at the end. */
function tokensInFlight(r: RecordView, curve: CurveBuilder): void {
  if (!(r.endNs > r.dispatchedNs)) return
  let held = 0
  if (r.inputTokens > 0) {
    held = r.inputTokens
    curve.add(r.dispatchedNs, held)
  }
  const length = outputLength(r)
  const times = r.tokenNs
  if (length !== undefined && length > 0 && times.length > 0) {
    // One token with the first chunk, the rest in equal parts with the others.
    const first = times.length === 1 ? length : 1
    curve.add(times[0]!, first)
    if (times.length > 1) curve.addEach(times.subarray(1), (length - first) / (times.length - 1))
    held += length
  }
  if (held !== 0) curve.add(r.endNs, -held)
}

const effective = (d: Pick<CurveMetric, 'tag' | 'header' | 'unit' | 'description' | 'compute' | 'plus' | 'dividedBy' | 'gates'>): CurveMetric => ({
  kind: 'curve',
  group: 'effective',
  ...d,
})

export default defineMetric(
  effective({
    tag: 'effective_concurrency',
    header: 'Effective Concurrency',
    unit: 'requests',
    description: 'Requests under way: dispatch to last byte, failed and unfinished ones included.',
    compute: concurrency,
  }),
  effective({
    tag: 'effective_decode_throughput',
    header: 'Effective Decode Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens'],
    description: 'Output tokens per second: each request spreads its tokens after the first over its gaps between chunks, an equal share for each gap.',
    compute: decode,
  }),
  effective({
    tag: 'effective_prefill_throughput',
    header: 'Effective Prefill Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Input tokens per second: each request spreads its input over the time to its first token.',
    compute: prefill,
  }),
  effective({
    tag: 'effective_decode_concurrency',
    header: 'Effective Decode Concurrency',
    unit: 'requests',
    gates: ['streaming', 'tokens'],
    description: 'Requests between their first token and their last byte.',
    compute: decodeConcurrency,
  }),
  effective({
    tag: 'effective_prefill_concurrency',
    header: 'Effective Prefill Concurrency',
    unit: 'requests',
    gates: ['streaming', 'tokens'],
    description: 'Requests between dispatch and first token.',
    compute: prefillConcurrency,
  }),
  effective({
    tag: 'effective_total_throughput',
    header: 'Effective Total Throughput',
    unit: 'tokens/sec',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Input and output tokens per second: the sum of effective prefill and decode throughput at each moment.',
    plus: 'effective_decode_throughput',
    compute: prefill,
  }),
  effective({
    tag: 'effective_decode_throughput_per_user',
    header: 'Effective Decode Throughput Per User',
    unit: 'tokens/sec/user',
    gates: ['streaming', 'tokens'],
    description: 'Effective decode throughput / effective decode concurrency at each moment.',
    dividedBy: 'effective_decode_concurrency',
    compute: decode,
  }),
  effective({
    tag: 'effective_prefill_throughput_per_user',
    header: 'Effective Prefill Throughput Per User',
    unit: 'tokens/sec/user',
    gates: ['streaming', 'tokens', 'input-tokens'],
    description: 'Effective prefill throughput / effective prefill concurrency at each moment.',
    dividedBy: 'effective_prefill_concurrency',
    compute: prefill,
  }),
  effective({
    tag: 'tokens_in_flight',
    header: 'Tokens In Flight',
    unit: 'tokens',
    gates: ['streaming', 'tokens'],
    description: 'Tokens of requests under way: the input from dispatch on, output tokens as they come, all until the last byte.',
    compute: tokensInFlight,
  }),
)
