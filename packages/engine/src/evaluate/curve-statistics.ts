import type { Statistics } from '@aiperf/core'
import { stepAfter, type Steps } from './steps.js'
import { extremes, totalWeight, weightedSquares, weightedSum } from './loops.js'
import { selectWeighted } from './select-weighted.js'

/** A curve over the window of a scope. */
export interface CurvePart {
  readonly steps: Steps
  /** Count only the time in which this curve is above 0. */
  readonly during?: Steps | undefined
  readonly startNs: number
  readonly endNs: number
}

const PERCENTILES = [50, 90, 95, 99] as const

// One evaluation looks at many curves, one after another.
let values = new Float64Array(0)
let weights = new Float64Array(0)

/**
 * Time-weighted statistics: the mean is the integral over the time, a percentile the smallest value that the curve does
 * not exceed in that share of the time. Undefined when no time counts.
 */
export function curveStatistics(parts: readonly CurvePart[]): Statistics | undefined {
  let capacity = 0
  for (const { steps, during, startNs, endNs } of parts)
    for (const curve of [steps, during]) if (curve) capacity += stepAfter(curve, endNs) - stepAfter(curve, startNs) + 2
  if (values.length < capacity) {
    values = new Float64Array(Math.ceil(capacity * 1.5))
    weights = new Float64Array(values.length)
  }
  let n = 0
  for (const { steps, during, startNs, endNs } of parts) if (endNs > startNs) n = during ? masked(steps, during, startNs, endNs, n) : stretches(steps, startNs, endNs, n)
  if (n === 0) return undefined
  const [min, max] = extremes(values, n) as unknown as [number, number]
  const total = totalWeight(weights, n)
  const avg = Math.min(max, Math.max(min, weightedSum(values, weights, n) / total))
  const statistics: Statistics = { avg, min, max, std: Math.sqrt(weightedSquares(values, weights, n, avg) / total) }
  const found = selectWeighted(values, weights, n, min, max, PERCENTILES.map((q) => (q / 100) * total))
  PERCENTILES.forEach((q, i) => (statistics[`p${q}`] = found[i]!))
  return statistics
}

/** Cuts a curve into its values and how long each holds, from `n` on; returns where they end. */
function stretches(steps: Steps, startNs: number, endNs: number, n: number): number {
  const { times, values: heights, length } = steps
  let i = stepAfter(steps, startNs)
  let at = startNs
  let value = i > 0 ? heights[i - 1]! : 0
  for (; i < length && times[i]! < endNs; i++) {
    const next = times[i]!
    values[n] = value
    weights[n++] = next - at
    at = next
    value = heights[i]!
  }
  values[n] = value
  weights[n++] = endNs - at
  return n
}

/** As `stretches`, for the time in which another curve is above 0. */
function masked(steps: Steps, mask: Steps, startNs: number, endNs: number, n: number): number {
  // In a bin whose mean is below 1 a count was above 0 for about that share of it.
  const blurred = mask.resolutionNs !== undefined
  const times = steps.times
  const maskTimes = mask.times
  let i = stepAfter(steps, startNs)
  let k = stepAfter(mask, startNs)
  let value = i > 0 ? steps.values[i - 1]! : 0
  let open = k > 0 ? mask.values[k - 1]! : 0
  let at = startNs
  while (at < endNs) {
    const nextStep = i < steps.length ? times[i]! : Infinity
    const nextMask = k < mask.length ? maskTimes[k]! : Infinity
    const next = Math.min(nextStep, nextMask, endNs)
    if (open > 0 && next > at) {
      const share = blurred && open < 1 ? open : 1
      values[n] = share < 1 && !steps.ratio ? value / share : value
      weights[n++] = (next - at) * share
    }
    if (next === nextStep) value = steps.values[i++]!
    if (next === nextMask) open = mask.values[k++]!
    at = next
  }
  return n
}
