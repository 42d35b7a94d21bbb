import { histogram, type Bucket } from './histogram.js'
import { addPacked, countedQuantile, HISTOGRAM_ERROR, rebinned, type Counts } from './log-histogram.js'
import { quantile } from './quantiles.js'
import type { PageBins, PagePoints, RunSummary } from './summary.js'
import { binWidth, timeBins, type TimeBin } from './time-bins.js'

/** A stretch of the run, s. */
export interface Range {
  from: number
  to: number
}

/** The values of a metric over some of the requests. */
export interface Distribution {
  count: number
  min: number
  max: number
  /** Relative error of quantiles; 0: exact. */
  error: number
  quantile(q: number): number
  buckets(log: boolean, most: number): Bucket[]
}

/** What charts of a run ask for, whether a page holds every request or sums. Ranges go by the start of requests. */
export interface RunSource {
  readonly summary: RunSummary
  /** Every request is there. */
  readonly exact: boolean
  bins(tag: string): TimeBin[]
  distribution(tag: string, range?: Range): Distribution
  requests(range?: Range): { started: number; failed: number }
  /** Indexes into `summary.points`. */
  points(range?: Range): number[]
}

export function runSource(summary: RunSummary): RunSource {
  const { points, bins } = summary
  const within = (range: Range | undefined): number[] => {
    const all = points.n.map((_, k) => k)
    return range ? all.filter((k) => points.start[k]! >= range.from && points.start[k]! < range.to) : all
  }
  return { summary, exact: bins === undefined, points: within, ...(bins ? fromBins(summary, bins) : fromPoints(points, within)) }
}

function fromPoints(points: PagePoints, within: (range?: Range) => number[]): Pick<RunSource, 'bins' | 'distribution' | 'requests'> {
  const column = (tag: string): (number | null)[] => points.values[tag] ?? []
  return {
    bins(tag) {
      const values = column(tag)
      return timeBins(points.start, values, binWidth(values.filter((v) => v !== null).length, points.start.at(-1) ?? 0))
    },
    distribution(tag, range) {
      const values = column(tag)
      const sorted = Float64Array.from(within(range).flatMap((k) => values[k] ?? [])).sort()
      return { count: sorted.length, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, error: 0, quantile: (q) => quantile(sorted, q), buckets: (log, most) => histogram(sorted, log, most) }
    },
    requests: (range) => {
      const chosen = within(range)
      return { started: chosen.length, failed: chosen.filter((k) => points.error[k] !== 0).length }
    },
  }
}

function fromBins({ points }: RunSummary, bins: PageBins): Pick<RunSource, 'bins' | 'distribution' | 'requests'> {
  const numbers = bins.started.map((_, b) => b)
  const chosen = (range?: Range): number[] => (range ? numbers.filter((b) => (b + 0.5) * bins.width >= range.from && (b + 0.5) * bins.width < range.to) : numbers)
  return {
    bins(tag) {
      const q = bins.quantiles[tag]
      if (!q) return []
      return numbers.flatMap((b) => (q.p50[b] === null ? [] : [{ from: b * bins.width, to: (b + 1) * bins.width, count: bins.started[b]!, p10: q.p10[b]!, p25: q.p25[b]!, p50: q.p50[b]!, p75: q.p75[b]!, p90: q.p90[b]!, p99: q.p99[b]!, max: q.max[b]! }]))
    },
    distribution(tag, range) {
      const counts: Counts = new Map()
      for (const b of chosen(range)) addPacked(counts, bins.histograms[tag]?.[b] ?? [])
      const sorted = [...counts].sort(([x], [y]) => x - y)
      const total = sorted.reduce((sum, [, n]) => sum + n, 0)
      const q = (p: number): number => countedQuantile(sorted, total, p)
      // The largest is among the points, exactly.
      const top = (points.values[tag] ?? []).reduce((max: number, v, k) => (v !== null && (!range || (points.start[k]! >= range.from && points.start[k]! < range.to)) && v > max ? v : max), -Infinity)
      return { count: total, min: q(0), max: Number.isFinite(top) ? top : q(1), error: HISTOGRAM_ERROR, quantile: q, buckets: (log, most) => rebinned(sorted, log, most) }
    },
    requests: (range) => chosen(range).reduce((sum, b) => ({ started: sum.started + bins.started[b]!, failed: sum.failed + bins.failed[b]! }), { started: 0, failed: 0 }),
  }
}

