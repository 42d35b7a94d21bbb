import type { BucketQuantile, HistogramStatistics, TelemetryWindow } from '@aiperf/core'
import { PERCENTILES } from '../evaluate/statistics.js'
import { bordersOf, type Point, type Sampled } from './growth.js'
import type { StoredSeries } from './store.js'

/** Growth of a histogram since its first state, restarts included. */
interface State {
  count: number
  sum: number
  /** Own counts of the buckets. */
  own: Float64Array
  resets: number
}

/**
 * Growth of a histogram over each group of windows, in one walk over its changes, and its quantiles by linear
 * interpolation within the bucket that holds them
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile). A falling count is a restart.
 */
export function histogramStatistics(target: Sampled, stored: StoredSeries, groups: readonly (readonly TelemetryWindow[])[]): (HistogramStatistics | undefined)[] {
  const bounds = stored.series.bounds
  if (!bounds || stored.samples.length === 0) return groups.map(() => undefined)
  const first = stored.samples.at(0)
  const borders = groups.map((windows) => windows.map((window) => bordersOf(target, window, false)))
  const points = borders.flat().flatMap((b) => (b ? [b.start.before, b.start.after, b.end.before, b.end.after] : []))
  const states = statesAt(stored, [...new Set(points)].sort((a, b) => a - b), bounds.length)
  return groups.map((windows, g) => {
    const total = new Growth(bounds.length)
    windows.forEach((window, w) => {
      const border = borders[g]![w]
      total.seconds += (window.endNs - window.startNs) / 1e9
      if (border && first <= border.end.after) total.add(between(states, border.start), between(states, border.end), border.start.exact && border.end.exact)
      else total.exact = false
    })
    return total.statistics(bounds)
  })
}

class Growth {
  seconds = 0
  exact = true
  #seen = false
  #count = 0
  #sum = 0
  #resets = 0
  readonly #own: Float64Array

  constructor(buckets: number) {
    this.#own = new Float64Array(buckets)
  }

  add(start: State, end: State, exact: boolean): void {
    this.#seen = true
    this.#count += end.count - start.count
    this.#sum += end.sum - start.sum
    this.#resets += end.resets - start.resets
    this.exact &&= exact && end.resets === start.resets
    for (let i = 0; i < this.#own.length; i++) this.#own[i]! += end.own[i]! - start.own[i]!
  }

  statistics(bounds: readonly number[]): HistogramStatistics | undefined {
    if (!this.#seen || this.seconds <= 0) return undefined
    const [count, sum, seconds] = [this.#count, this.#sum, this.seconds]
    let below = 0
    const buckets = Array.from(this.#own, (n) => (below += n))
    return {
      count, sum, avg: count > 0 ? sum / count : 0, countRate: count / seconds, sumRate: sum / seconds, buckets,
      // Worked out when asked for: time slices do not.
      get quantiles() {
        return count > 0 ? Object.fromEntries(PERCENTILES.map((p) => [`p${p}`, bucketQuantile(bounds, buckets, p / 100, sum)])) : {}
      },
      resets: this.#resets, exact: this.exact,
    }
  }
}

/** The quantile of cumulative counts, with the limits of its bucket, closer where the sum of all observations leaves less room. */
export function bucketQuantile(bounds: readonly number[], cumulative: readonly number[], q: number, sum: number): BucketQuantile {
  const rank = q * cumulative.at(-1)!
  let i = 0
  while (i < cumulative.length - 1 && (cumulative[i]! < rank || cumulative[i] === 0)) i++
  const high = bounds[i]!
  const low = lowest(bounds, i)
  if (high === Infinity) return { estimate: i > 0 ? low : Number.NaN, low: i > 0 ? low : -Infinity, high }
  const before = i > 0 ? cumulative[i - 1]! : 0
  const inside = cumulative[i]! - before
  if (inside === 0) return { estimate: high, low, high }
  const estimate = low + (high - low) * Math.min(1, Math.max(0, (rank - before) / inside))
  const room = roomFor(bounds, cumulative, i, Math.min(inside, Math.max(1, Math.ceil(rank - before - 1e-9))), sum)
  if (!(room.low <= room.high)) return { estimate, low, high }
  return { estimate: Math.min(room.high, Math.max(room.low, estimate)), ...room }
}

/** The lower end of a bucket; what is counted is not negative unless the bounds are. */
function lowest(bounds: readonly number[], i: number): number {
  return i > 0 ? bounds[i - 1]! : Math.min(0, bounds[0]!)
}

/**
 * How low and how high the `k`-th observation of bucket `i` can be for all to come to `sum`: those from it on are no smaller, those up
 * to it no greater, and every other one lies in its bucket.
 */
function roomFor(bounds: readonly number[], cumulative: readonly number[], i: number, k: number, sum: number): { low: number; high: number } {
  const [low, high] = [lowest(bounds, i), bounds[i]!]
  const inside = cumulative[i]! - (cumulative[i - 1] ?? 0)
  let [least, most] = [(k - 1) * low, (inside - k) * high]
  bounds.forEach((bound, b) => {
    const own = cumulative[b]! - (cumulative[b - 1] ?? 0)
    if (b === i || own === 0) return
    least += own * lowest(bounds, b)
    most += own * bound
  })
  return { low: Math.max(low, (sum - most) / k), high: Math.min(high, (sum - least) / (inside - k + 1)) }
}

/** The states after the given samples (ascending), in one walk over the changes. */
function statesAt(stored: StoredSeries, wanted: readonly number[], buckets: number): Map<number, State> {
  const states = new Map<number, State>()
  // What the server shows now, and what it had grown to before its restarts.
  const shown = { count: 0, sum: 0, own: new Float64Array(buckets) }
  const past: State = { count: 0, sum: 0, own: new Float64Array(buckets), resets: 0 }
  const next = new Float64Array(buckets)
  let change = 0
  let begun = false
  for (const sample of wanted) {
    for (; change < stored.samples.length && stored.samples.at(change) <= sample; change++) {
      const count = stored.values.at(change)
      if (Number.isNaN(count)) continue
      const sum = stored.sums.at(change)
      next.set(shown.own)
      const end = change + 1 < stored.logAt.length ? stored.logAt.at(change + 1) : stored.log.length
      for (let at = stored.logAt.at(change); at < end; at += 2) next[stored.log.at(at)] = stored.log.at(at + 1)
      if (!begun && stored.samples.at(change) === 0) {
        // It was there before it was watched: what it shows first is no growth.
        past.count -= count
        past.sum -= sum
        for (let i = 0; i < buckets; i++) past.own[i]! -= next[i]!
      } else if (begun && count < shown.count) {
        past.count += shown.count
        past.sum += shown.sum
        for (let i = 0; i < buckets; i++) past.own[i]! += shown.own[i]!
        past.resets++
      }
      begun = true
      shown.count = count
      shown.sum = sum
      shown.own.set(next)
    }
    states.set(sample, { count: past.count + shown.count, sum: past.sum + shown.sum, own: past.own.map((n, i) => n + shown.own[i]!), resets: past.resets })
  }
  return states
}

/** Between two samples counts grow evenly, in whole observations. */
function between(states: Map<number, State>, { before, after, share }: Point): State {
  const low = states.get(before)!
  if (before === after) return low
  const high = states.get(after)!
  const own = low.own.map((n, i) => n + Math.round((high.own[i]! - n) * share))
  const count = own.reduce((a, b) => a + b, 0)
  return { count, sum: low.sum + (high.sum - low.sum) * share, own, resets: high.resets }
}
