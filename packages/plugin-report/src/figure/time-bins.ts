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

/** How many bins a number of requests deserves; 0 when each request is better shown itself. */
export const binsFor = (count: number, most = MOST_BINS): number => (count < 3 * WANTED_PER_BIN ? 0 : Math.min(most, Math.floor(count / WANTED_PER_BIN)))

/** Cuts the requests that have a value into bins of equal length by their start. Bins with too few values are left out. */
export function timeBins(table: RequestTable, column: Float64Array, bins: number, end = lastStart(table)): TimeBin[] {
  if (bins < 1) return []
  const width = end / bins || 1
  const values: number[][] = Array.from({ length: bins }, () => [])
  for (let i = 0; i < table.count; i++) {
    const value = column[i]!
    if (!Number.isNaN(value)) values[Math.min(bins - 1, Math.max(0, Math.floor(table.startSeconds[i]! / width)))]!.push(value)
  }
  return values.flatMap((list, i) => {
    if (list.length < LEAST_PER_BIN) return []
    const sorted = Float64Array.from(list).sort()
    const q = (p: number): number => quantile(sorted, p)
    return [{ from: i * width, to: (i + 1) * width, count: list.length, p10: q(0.1), p25: q(0.25), p50: q(0.5), p75: q(0.75), p90: q(0.9), p99: q(0.99), max: sorted.at(-1)! }]
  })
}

export const lastStart = (table: RequestTable): number => (table.count === 0 ? 0 : table.startSeconds[table.count - 1]!)
/** End of the last request, s. */
export const lastEnd = (table: RequestTable): number => table.endSeconds.reduce((last, end) => (end > last ? end : last), 0)
