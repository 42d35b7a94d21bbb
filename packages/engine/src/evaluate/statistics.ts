import type { Statistics } from '@aiperf/core'
import type { Histogram } from './histogram.js'
import { intervalRanks, valuesNeeded } from './intervals.js'
import { orderStatistics } from './order-statistics.js'

export const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const
export type Percentile = (typeof PERCENTILES)[number]
/** Percentiles that get a confidence interval. */
const WITH_INTERVAL: ReadonlySet<Percentile> = new Set([50, 90, 95, 99])

/** Statistics of a sample, and how far its percentiles can be relied on. In the unit of the values. */
export interface Summary {
  statistics: Statistics & { count: number }
  intervals: Partial<Record<keyof Statistics, readonly [number, number]>>
  withheld: Partial<Record<keyof Statistics, number>>
  precision: 'exact' | number
}

/**
 * Statistics of `values[0 … n−1]`, n > 0, which are reordered. Percentiles interpolate linearly at index `q/100·(n−1)`; the
 * standard deviation is that of the population; sums are compensated (Neumaier).
 */
export function summarise(values: Float64Array, n: number): Summary {
  let min = values[0]!
  let max = min
  for (let i = 1; i < n; i++) {
    const v = values[i]!
    if (v < min) min = v
    else if (v > max) max = v
  }
  if (min === max) return constant(min, n)
  const sum = compensatedSum(values, n)
  const mean = sum / n
  let squares = 0
  let drift = 0
  for (let i = 0; i < n; i++) {
    const d = values[i]! - mean
    squares += d * d
    drift += d
  }
  const std = Math.sqrt(Math.max(0, squares - (drift * drift) / n) / n)
  const ranks = neededRanks(n)
  const found = orderStatistics(values, n, min, max, ranks)
  return describe({ n, min, max, sum, mean, std, precision: 'exact', atRank: (rank) => found[ranks.indexOf(rank)]! })
}

/** Neumaier's compensated sum of `values[0 … n−1]`. */
export function compensatedSum(values: Float64Array, n: number): number {
  let sum = 0
  let lost = 0
  for (let i = 0; i < n; i++) {
    const v = values[i]!
    const t = sum + v
    lost += Math.abs(sum) >= Math.abs(v) ? sum - t + v : v - t + sum
    sum = t
  }
  return sum + lost
}

/** Statistics of n equal values. */
export function constant(value: number, n: number): Summary {
  return describe({ n, min: value, max: value, sum: value * n, mean: value, std: 0, precision: 'exact', atRank: () => value })
}

export function summariseHistogram(h: Histogram): Summary {
  const { count, min, max, sum, mean, std } = h
  return describe({ n: count, min, max, sum, mean, std, precision: 1 / 1024, atRank: (rank) => h.atRank(rank) })
}

interface Sample {
  n: number
  min: number
  max: number
  sum: number
  mean: number
  std: number
  precision: 'exact' | number
  atRank(rank: number): number
}

function describe(sample: Sample): Summary {
  const { n, min, max, sum, mean, std, precision, atRank } = sample
  const statistics: Statistics & { count: number } = { avg: Math.min(max, Math.max(min, mean)), min, max, sum, count: n, std }
  const intervals: Summary['intervals'] = {}
  const withheld: Summary['withheld'] = {}
  for (const q of PERCENTILES) {
    const key = `p${q}` as const
    const at = (q / 100) * (n - 1)
    const low = Math.floor(at)
    const value = atRank(low)
    statistics[key] = at === low ? value : value + (at - low) * (atRank(low + 1) - value)
    const needed = valuesNeeded(q)
    if (n < needed) withheld[key] = needed
    else if (WITH_INTERVAL.has(q)) {
      const ranks = intervalRanks(n, q)
      if (ranks) intervals[key] = [atRank(ranks[0]), atRank(ranks[1])]
    }
  }
  return { statistics, intervals, withheld, precision }
}

let lastCount = 0
let lastRanks: number[] = []

/** Every rank that `describe` reads of a sample of n, ascending. */
function neededRanks(n: number): readonly number[] {
  if (n === lastCount) return lastRanks
  const ranks = new Set<number>()
  for (const q of PERCENTILES) {
    const at = (q / 100) * (n - 1)
    ranks.add(Math.floor(at))
    ranks.add(Math.ceil(at))
    const interval = WITH_INTERVAL.has(q) ? intervalRanks(n, q) : undefined
    if (interval) for (const rank of interval) ranks.add(rank)
  }
  lastCount = n
  lastRanks = [...ranks].toSorted((a, b) => a - b)
  return lastRanks
}
