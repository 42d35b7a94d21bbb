import type { GaugeStatistics, TelemetryWindow } from '@aiperf/core'

/** Longer than this many intervals without a sample is a gap: nothing is known of it. */
export const GAP_INTERVALS = 3
const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const

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
 * counts for the sample that is nearer.
 */
export function gaugeStatistics({ ns, values, everyNs }: Curve, windows: readonly TelemetryWindow[]): GaugeStatistics | undefined {
  // Only the samples in and around the windows are looked at: a run has many slices.
  const first = Math.max(0, lowerBound(ns, Math.min(...windows.map((w) => w.startNs))) - 1)
  const last = Math.min(ns.length, lowerBound(ns, Math.max(...windows.map((w) => w.endNs))) + 2)
  const weights = new Float64Array(Math.max(0, last - first))
  let integral = 0
  let coveredNs = 0
  let windowNs = 0
  let count = 0
  let min = Infinity
  let max = -Infinity
  for (const { startNs, endNs } of windows) {
    windowNs += endNs - startNs
    for (let i = lowerBound(ns, startNs) - 1; i < ns.length; i++) {
      if (i < 0) continue
      const t = ns[i]!
      if (t > endNs) break
      const v = values[i]!
      if (Number.isNaN(v)) continue
      if (t >= startNs) {
        count++
        if (v < min) min = v
        if (v > max) max = v
      }
      const next = i + 1 < ns.length ? ns[i + 1]! : Infinity
      const joined = next - t <= GAP_INTERVALS * everyNs[i]! && !Number.isNaN(values[i + 1]!)
      const until = joined ? next : Math.min(next, t + everyNs[i]!)
      const from = Math.max(t, startNs)
      const to = Math.min(until, endNs)
      if (to <= from) continue
      const slope = joined ? (values[i + 1]! - v) / (next - t) : 0
      integral += ((v + slope * (from - t) + (v + slope * (to - t))) / 2) * (to - from)
      coveredNs += to - from
      const middle = joined ? (t + next) / 2 : Infinity
      const mine = Math.max(0, Math.min(to, middle) - from)
      weights[i - first]! += mine
      if (joined) weights[i + 1 - first]! += to - from - mine
    }
  }
  if (coveredNs <= 0) return undefined
  const used = [...weights.keys()].filter((i) => weights[i]! > 0).sort((a, b) => values[first + a]! - values[first + b]!)
  const valueOf = (i: number): number => values[first + i]!
  // What stands still has exactly its own value as mean, and no deviation.
  const still = valueOf(used[0]!) === valueOf(used.at(-1)!)
  const avg = still ? valueOf(used[0]!) : integral / coveredNs
  let weightedMean = 0
  for (const i of used) weightedMean += (valueOf(i) * weights[i]!) / coveredNs
  let variance = 0
  for (const i of used) variance += ((valueOf(i) - weightedMean) ** 2 * weights[i]!) / coveredNs
  const n = used.length
  const at = (percent: number): number => {
    let sum = 0
    for (const i of used) if ((sum += weights[i]!) >= (percent / 100) * coveredNs * (1 - 1e-12)) return valueOf(i)
    return valueOf(used.at(-1)!)
  }
  const percentiles = Object.fromEntries(PERCENTILES.map((p) => [`p${p}`, at(p)])) as Record<`p${(typeof PERCENTILES)[number]}`, number>
  return {
    avg,
    min: count > 0 ? min : valueOf(used[0]!),
    max: count > 0 ? max : valueOf(used.at(-1)!),
    std: n > 1 && !still ? Math.sqrt((variance * n) / (n - 1)) : 0,
    ...percentiles,
    count,
    integral: integral / 1e9,
    coverage: Math.min(1, coveredNs / windowNs),
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
