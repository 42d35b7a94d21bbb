import type { RequestTable } from '@aiperf/core'
import { quantile } from './quantiles.js'

/** A stretch of time with the distribution of a metric over the requests that started in it. */
export interface TimeBin {
  from: number
  to: number
  count: number
  p10: number
  p25: number
  p50: number
  p75: number
  p90: number
  p99: number
  max: number
}

/** Fewer values than this in a bin say nothing of its percentiles. */
export const LEAST_PER_BIN = 5
const WANTED_PER_BIN = 30
const MOST_BINS = 80

/** Length of the bins that so many requests over so many seconds deserve, a round number; 0 when each request is better shown itself. */
export const binWidth = (count: number, seconds: number): number => (count < 3 * WANTED_PER_BIN ? 0 : rounded(seconds / Math.min(MOST_BINS, Math.floor(count / WANTED_PER_BIN))))

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function rounded(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length))
  return Number((power * [1, 2, 2.5, 5, 10].find((step) => step * power >= length * (1 - 1e-9))!).toPrecision(2))
}

/** Cuts the requests that have a value into bins of one length by their start. Bins with too few values are left out. */
export function timeBins(starts: ArrayLike<number>, column: ArrayLike<number | null>, width: number, end = starts[starts.length - 1] ?? 0): TimeBin[] {
  if (!(width > 0)) return []
  const last = Math.max(0, Math.ceil(end / width - 1e-9) - 1)
  const values: number[][] = Array.from({ length: last + 1 }, () => [])
  for (let i = 0; i < starts.length; i++) {
    const value = column[i]
    if (typeof value === 'number' && !Number.isNaN(value)) values[Math.min(last, Math.max(0, Math.floor(starts[i]! / width)))]!.push(value)
  }
  return values.flatMap((list, i) => {
    if (list.length < LEAST_PER_BIN) return []
    const sorted = Float64Array.from(list).sort()
    const q = (p: number): number => quantile(sorted, p)
    return [{ from: i * width, to: (i + 1) * width, count: list.length, p10: q(0.1), p25: q(0.25), p50: q(0.5), p75: q(0.75), p90: q(0.9), p99: q(0.99), max: sorted.at(-1)! }]
  })
}

/** End of the last request, s. */
export const lastEnd = (table: RequestTable): number => table.endSeconds.reduce((last, end) => (end > last ? end : last), 0)
