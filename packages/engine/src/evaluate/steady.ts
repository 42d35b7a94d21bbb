import { curveStatistics } from './curve-statistics.js'
import type { Steps } from './steps.js'

/** Share of the usual concurrency that counts as full load. */
const LEVEL = 0.9
/** A part shorter than this share of the phase is not called steady. */
const SHORTEST = 0.25

/**
 * The steady part of a phase: from the first to the last moment at which at least 90 % of the usual (time-weighted median)
 * number of requests were under way. Before lies the ramp-up, after it the drain. Undefined when less than a quarter of
 * the phase is left.
 */
export function steadyWindow(concurrency: Steps, startNs: number, endNs: number): { startNs: number; endNs: number } | undefined {
  const usual = curveStatistics([{ steps: concurrency, startNs, endNs }])?.p50
  if (usual === undefined || usual <= 0) return undefined
  const level = usual * LEVEL
  const { times, values, length } = concurrency
  let first = 0
  while (first < length && values[first]! < level) first++
  let last = length - 1
  while (last >= 0 && values[last]! < level) last--
  if (first > last) return undefined
  const from = Math.max(startNs, times[first]!)
  const to = Math.min(endNs, last + 1 < length ? times[last + 1]! : endNs)
  return to - from >= SHORTEST * (endNs - startNs) ? { startNs: from, endNs: to } : undefined
}
