import type { Statistics } from '@aiperf/core'
import type { Histogram } from './histogram.js'
import { intervalRanks, valuesNeeded } from './intervals.js'
import { compensatedSum, extremes, squaredDeviations } from './loops.js'
import { orderStatistics } from './order-statistics.js'

export const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const
type Percentile = (typeof PERCENTILES)[number]
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
  const [min, max] = extremes(values, n) as unknown as [number, number]
  if (min === max) return constant(min, n)
  const sum = compensatedSum(values, n)
  const mean = sum / n
  const std = Math.sqrt(Math.max(0, squaredDeviations(values, n, mean)) / n)
  const ranks = neededRanks(n)
  const found = orderStatistics(values, n, min, max, ranks)
  return describe({ n, min, max, sum, mean, std, precision: 'exact', atRank: (rank) => found[ranks.indexOf(rank)]! })
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
