import type { GaugeStatistics, TelemetryWindow } from '@aiperf/core'

/** Longer than this many intervals without a sample is a gap: nothing is known of it. */
export const GAP_INTERVALS = 3

/** A curve of samples, ascending in time; NaN: no value at that sample. */
export interface Curve {
  ns: Float64Array
  values: Float64Array
  /** Interval in force at each sample, ns. */
  everyNs: Float64Array
}

/**
 * Statistics of a gauge over windows. Between two samples the value is the straight line; the windows clip it exactly.
 * Across a gap, and after the last sample, a value holds for one interval. For percentiles and deviation each moment
 * counts for the sample that is nearer, or for the line's value at the border where that lies beyond it; they are worked out
 * when they are asked for.
 */
export function gaugeStatistics(curve: Curve, windows: readonly TelemetryWindow[]): GaugeStatistics | undefined {
  let integral = 0
  let coveredNs = 0
  let count = 0
  let min = Infinity
  let max = -Infinity
  const use = (value: number): void => {
    if (value < min) min = value
    if (value > max) max = value
  }
  for (const window of windows) {
    for (const { value, isInside, area, ns, next, nextNs } of pieces(curve, window)) {
      if (isInside) count++
      integral += area
      coveredNs += ns + nextNs
      if (isInside || ns + nextNs > 0) use(value)
      if (ns + nextNs > 0) use(next)
    }
  }
  if (coveredNs <= 0) return undefined
  const windowNs = windows.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
  let spread: Spread | undefined
  const of = (): Spread => (spread ??= new Spread(curve, windows, coveredNs))
  // What stands still has exactly its own value as mean, and no deviation.
  const isStill = min === max
  return {
    avg: isStill ? min : integral / coveredNs,
    min,
    max,
    get std() {
      return isStill ? 0 : of().std
    },
    get p1() { return of().at(0.01) },
    get p5() { return of().at(0.05) },
    get p10() { return of().at(0.1) },
    get p25() { return of().at(0.25) },
    get p50() { return of().at(0.5) },
    get p75() { return of().at(0.75) },
    get p90() { return of().at(0.9) },
    get p95() { return of().at(0.95) },
    get p99() { return of().at(0.99) },
    count,
    integral: integral / 1e9,
    coverage: Math.min(1, coveredNs / windowNs),
  }
}

/** A stretch from one sample towards the next, clipped to a window. */
interface Piece {
  /** The sample's, or the line's at the border where the sample lies before it. */
  value: number
  /** The sample itself lies in the window. */
  isInside: boolean
  /** Value × ns. */
  area: number
  /** Time that counts for the sample, and for the next one, ns. */
  ns: number
  /** The next sample's, or the line's where it ends before that. */
  next: number
  nextNs: number
}

function* pieces({ ns, values, everyNs }: Curve, { startNs, endNs }: TelemetryWindow): Generator<Piece> {
  for (let i = Math.max(0, lowerBound(ns, startNs) - 1); i < ns.length && ns[i]! <= endNs; i++) {
    const t = ns[i]!
    const value = values[i]!
    if (Number.isNaN(value)) continue
    const following = i + 1 < ns.length ? ns[i + 1]! : Infinity
    const next = i + 1 < ns.length ? values[i + 1]! : Number.NaN
    const isJoined = following - t <= GAP_INTERVALS * everyNs[i]! && !Number.isNaN(next)
    const from = Math.max(t, startNs)
    const to = Math.max(from, Math.min(isJoined ? following : Math.min(following, t + everyNs[i]!), endNs))
    const slope = isJoined ? (next - value) / (following - t) : 0
    const own = Math.max(0, Math.min(to, isJoined ? (t + following) / 2 : Infinity) - from)
    const at = (moment: number): number => value + slope * (moment - t)
    yield { value: at(from), isInside: t >= startNs, area: ((at(from) + at(to)) / 2) * (to - from), ns: own, next: isJoined && following <= endNs ? next : at(to), nextNs: to - from - own }
  }
}

/** The distribution of a gauge's values over time. */
class Spread {
  readonly std: number
  readonly #values: Float64Array
  /** Time up to and with each value, as a share of all. */
  readonly #shares: Float64Array

  constructor(curve: Curve, windows: readonly TelemetryWindow[], coveredNs: number) {
    const weights = new Map<number, number>()
    const add = (value: number, ns: number): void => void (ns > 0 && weights.set(value, (weights.get(value) ?? 0) + ns))
    let samples = 0
    for (const window of windows) {
      let carried = 0
      for (const { value, ns, next, nextNs } of pieces(curve, window)) {
        add(value, ns)
        add(next, nextNs)
        if (ns > 0 || carried > 0) samples++
        carried = nextNs
      }
      if (carried > 0) samples++
    }
    this.#values = Float64Array.from(weights.keys()).sort()
    this.#shares = new Float64Array(this.#values.length)
    let mean = 0
    for (const value of this.#values) mean += (value * weights.get(value)!) / coveredNs
    let variance = 0
    let sum = 0
    this.#values.forEach((value, i) => {
      const weight = weights.get(value)!
      variance += ((value - mean) ** 2 * weight) / coveredNs
      this.#shares[i] = (sum += weight) / coveredNs
    })
    this.std = samples > 1 ? Math.sqrt((variance * samples) / (samples - 1)) : 0
  }

  /** The smallest value by which the share of time is reached. */
  at(share: number): number {
    const i = lowerBound(this.#shares, share * (1 - 1e-12))
    return this.#values[Math.min(i, this.#values.length - 1)]!
  }
}

/** Index of the first time that is not before `ns`. */
export function lowerBound(times: Float64Array, ns: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < ns) low = middle + 1
    else high = middle
  }
  return low
}
