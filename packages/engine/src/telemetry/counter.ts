import type { CounterStatistics, TelemetryWindow } from '@aiperf/core'
import { lowerBound } from './gauge.js'
import { bordersOf, type Point, type Sampled } from './growth.js'

/** Changes of a counter: sample number and value; NaN: gone. */
export interface CounterChanges {
  samples: Float64Array
  values: Float64Array
  /** See `TelemetrySeries.continuous`. */
  continuous: boolean
}

/**
 * Growth of a counter over windows. A fall is a restart: the counter begins again at 0. A counter that appears while its
 * target was already sampled was 0 before. `over` gives undefined where it shows no value.
 */
export class Counter {
  readonly #growth: (window: TelemetryWindow) => Growth | undefined

  constructor(target: Sampled, changes: CounterChanges) {
    const path = climb(changes)
    this.#growth = changes.continuous ? continuousGrowth(target, changes, path) : eventGrowth(target, changes, path)
  }

  over(windows: readonly TelemetryWindow[]): CounterStatistics | undefined {
    let total = 0
    let resets = 0
    let seconds = 0
    let exact = true
    let seen = false
    for (const window of windows) {
      seconds += (window.endNs - window.startNs) / 1e9
      const growth = this.#growth(window)
      if (!growth) {
        exact = false
        continue
      }
      seen = true
      total += growth.total
      resets += growth.resets
      exact &&= growth.exact
    }
    return seen && seconds > 0 ? { total, rate: total / seconds, resets, exact } : undefined
  }
}

/** Height over the first value at each change, restarts included, and restarts so far. */
function climb({ values }: CounterChanges): { height: Float64Array; resets: Float64Array } {
  const height = new Float64Array(values.length)
  const resets = new Float64Array(values.length)
  let last = Number.NaN
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    height[i] = height[i - 1] ?? 0
    resets[i] = resets[i - 1] ?? 0
    if (Number.isNaN(value)) continue
    if (value >= last) height[i]! += value - last
    else if (value < last) {
      height[i]! += value
      resets[i]!++
    }
    last = value
  }
  return { height, resets }
}

interface Growth {
  total: number
  resets: number
  exact: boolean
}

type Path = ReturnType<typeof climb>
type GrowthOf = (window: TelemetryWindow) => Growth | undefined

function eventGrowth(target: Sampled, { samples, values }: CounterChanges, path: Path): GrowthOf {
  const first = samples[0]
  // Born while it was watched: it began at 0, not at its first value.
  const born = first !== undefined && first > 0 ? values[0]! : 0
  const heightAt = (sample: number): number => {
    const i = lastChange(samples, sample)
    return i < 0 ? 0 : path.height[i]! + born
  }
  const at = ({ before, after, share }: Point): number => {
    const low = heightAt(before)
    return before === after ? low : low + (heightAt(after) - low) * share
  }
  const resetsAt = (sample: number): number => path.resets[lastChange(samples, sample)] ?? 0
  return (window) => {
    const borders = bordersOf(target, window, false)
    if (!borders || first === undefined || first > borders.end.after) return undefined
    const resets = resetsAt(borders.end.after) - resetsAt(borders.start.before)
    return { total: Math.max(0, at(borders.end) - at(borders.start)), resets, exact: borders.start.exact && borders.end.exact && resets === 0 }
  }
}

/**
 * Growth of a counter that never rests, such as energy. Its source may refresh it less often than it is sampled, so the
 * line goes through the moments at which it changed; beyond the first and last of them it goes on as it went.
 */
function continuousGrowth({ ns, everyNs }: Sampled, { samples, values }: CounterChanges, path: Path): GrowthOf {
  const { times, heights } = refreshes(ns, samples, values, path.height)
  const n = times.length
  const outside = ({ startNs, endNs }: TelemetryWindow): boolean => n === 0 || ns[0]! > endNs || ns.at(-1)! < startNs
  if (n < 2) return (window) => (outside(window) ? undefined : { total: 0, resets: 0, exact: false })
  const clock = evened(times, everyNs[0]!)
  const last = n - 1
  const at = (timeNs: number): number => {
    const k = Math.min(Math.max(lowerBound(clock, timeNs), 1), last)
    const beyond = timeNs > clock[last]!
    // A slope over several changes is steadier than over the last one.
    const from = beyond ? Math.max(0, last - 3) : k - 1
    const to = timeNs < clock[0]! ? Math.min(last, 3) : k
    const slope = (heights[to]! - heights[from]!) / (clock[to]! - clock[from]!)
    const base = beyond ? last : k - 1
    return heights[base]! + slope * (timeNs - clock[base]!)
  }
  const reach = 3 * Math.max(everyNs[0]!, (clock[last]! - clock[0]!) / last)
  const resetsAt = (timeNs: number): number => path.resets[lastChange(samples, lowerBound(ns, timeNs))] ?? 0
  return (window) => {
    if (outside(window)) return undefined
    const { startNs, endNs } = window
    const resets = resetsAt(endNs) - resetsAt(startNs)
    return { total: Math.max(0, at(endNs) - at(startNs)), resets, exact: startNs >= clock[0]! - reach && endNs <= clock[last]! + reach && resets === 0 }
  }
}

/** When the counter showed a new value, and its height then. */
function refreshes(ns: Float64Array, samples: Float64Array, values: Float64Array, height: Float64Array): { times: number[]; heights: number[] } {
  const times: number[] = []
  const heights: number[] = []
  let held = 0
  for (let i = 0; i < samples.length; i++) {
    if (Number.isNaN(values[i]!)) continue
    const sample = samples[i]!
    const isHeld = i > 0 && sample - 1 > samples[i - 1]!
    if (isHeld) held++
    // It changed somewhere between this sample and the last one that still showed the old value.
    times.push(isHeld ? (ns[sample]! + ns[sample - 1]!) / 2 : ns[sample]!)
    heights.push(height[i]!)
  }
  // The first value of a counter that is refreshed seldom was already old when it was first seen.
  if (held > (times.length - 1) / 2 && times.length > 2) {
    times.shift()
    heights.shift()
  }
  return { times, heights }
}

/** Times of a source that refreshes at even intervals are known better from all of them than from each. */
function evened(times: number[], everyNs: number): Float64Array {
  const n = times.length
  const clock = Float64Array.from(times)
  const period = (times[n - 1]! - times[0]!) / (n - 1)
  if (n < 4 || period < 1.5 * everyNs) return clock
  const middle = (n - 1) / 2
  const mean = times.reduce((a, b) => a + b) / n
  let above = 0
  let below = 0
  times.forEach((t, k) => {
    above += (k - middle) * (t - mean)
    below += (k - middle) ** 2
  })
  const line = clock.map((_, k) => mean + (above / below) * (k - middle))
  return line.every((t, k) => Math.abs(t - times[k]!) <= everyNs) ? line : clock
}

/** Index of the last change at or before a sample; −1: none. */
function lastChange(samples: Float64Array, sample: number): number {
  const i = lowerBound(samples, sample)
  return i < samples.length && samples[i] === sample ? i : i - 1
}
