import type { RequestTable } from '@aiperf/core'

/** A curve of steps: `values[i]` holds from `seconds[i]` on. */
export interface StepCurve {
  seconds: Float64Array
  values: Float64Array
}

/** Sums of steps: each adds `deltas[i]` from `seconds[i]` on. */
export function stepCurve(seconds: Float64Array, deltas: Float64Array): StepCurve {
  const order = Uint32Array.from(seconds, (_, i) => i).sort((a, b) => seconds[a]! - seconds[b]!)
  const at: number[] = []
  const values: number[] = []
  let sum = 0
  for (const i of order) {
    sum += deltas[i]!
    if (at.at(-1) === seconds[i]!) values[values.length - 1] = sum
    else {
      at.push(seconds[i]!)
      values.push(sum)
    }
  }
  // What sums of fractions leave behind when everything has ended.
  return { seconds: Float64Array.from(at), values: Float64Array.from(values, (value) => (Math.abs(value) < 1e-9 ? 0 : value)) }
}

/** Requests between their start and their end. */
export function requestsInFlight(table: RequestTable): StepCurve {
  const n = table.count
  const seconds = new Float64Array(2 * n)
  const deltas = new Float64Array(2 * n)
  for (let i = 0; i < n; i++) {
    seconds[2 * i] = table.startSeconds[i]!
    seconds[2 * i + 1] = Math.max(table.startSeconds[i]!, table.endSeconds[i]!)
    deltas[2 * i] = 1
    deltas[2 * i + 1] = -1
  }
  return stepCurve(seconds, deltas)
}

/**
 * Output tokens per second: each request spreads its tokens evenly between its first token and its end, or, where no
 * first token is known, over its whole time. Undefined when no request has tokens.
 */
export function tokenRate(table: RequestTable): StepCurve | undefined {
  const tokens = table.values('output_sequence_length')
  const ttft = table.values('time_to_first_token')
  if (!tokens) return undefined
  const seconds: number[] = []
  const deltas: number[] = []
  for (let i = 0; i < table.count; i++) {
    if (Number.isNaN(tokens[i]!) || tokens[i]! <= 0) continue
    const end = table.endSeconds[i]!
    const first = ttft && !Number.isNaN(ttft[i]!) ? table.startSeconds[i]! + ttft[i]! / 1000 : table.startSeconds[i]!
    // An answer that came at once counts over its whole time.
    const begin = end > first ? first : table.startSeconds[i]!
    if (end <= begin) continue
    const rate = tokens[i]! / (end - begin)
    seconds.push(begin, end)
    deltas.push(rate, -rate)
  }
  return stepCurve(Float64Array.from(seconds), Float64Array.from(deltas))
}

/** A curve's mean over each of `bins` equal stretches from 0 to `end`, exactly: no step is lost. */
export function averaged({ seconds, values }: StepCurve, end: number, bins: number): { from: number; to: number; value: number }[] {
  const width = end / bins
  if (!(width > 0)) return []
  const sums = new Float64Array(bins)
  for (let i = 0; i < seconds.length; i++) {
    const from = Math.max(0, seconds[i]!)
    const to = Math.min(end, seconds[i + 1] ?? seconds[i]!)
    if (values[i] === 0 || to <= from) continue
    for (let b = Math.floor(from / width); b < bins && b * width < to; b++) sums[b]! += values[i]! * (Math.min(to, (b + 1) * width) - Math.max(from, b * width))
  }
  return Array.from(sums, (sum, b) => ({ from: b * width, to: (b + 1) * width, value: sum / width }))
}
