import type { Statistics } from '@aiperf/core'
import type { Steps } from './curve.js'
import { selectWeighted } from './select-weighted.js'

/** A curve over the window of a scope. */
export interface CurvePart {
  readonly steps: Steps
  /** Add this curve. */
  readonly plus: Steps | undefined
  /** Divide by this curve, 0 where it is 0. */
  readonly by: Steps | undefined
  /** Count only the time in which this curve is above 0. */
  readonly during: Steps | undefined
  readonly startNs: number
  readonly endNs: number
}

const PERCENTILES = [50, 90, 95, 99] as const

/**
 * Time-weighted statistics: the mean is the integral over the time, a percentile the smallest value that the curve does
 * not exceed in that share of the time. Undefined when no time counts.
 */
export function curveStatistics(parts: readonly CurvePart[]): Statistics | undefined {
  let capacity = 0
  for (const { steps, plus, by, during, startNs, endNs } of parts)
    for (const curve of [steps, plus, by, during]) if (curve) capacity += after(curve, endNs) - after(curve, startNs) + 2
  const segments = new Segments(capacity)
  for (const part of parts) segments.take(part)
  return segments.statistics()
}

// One evaluation looks at many curves, one after another.
let segmentValues = new Float64Array(0)
let segmentWeights = new Float64Array(0)

/** A curve cut into stretches of equal value, without their order. */
class Segments {
  readonly #values: Float64Array
  readonly #weights: Float64Array
  #count = 0

  constructor(capacity: number) {
    if (segmentValues.length < capacity) {
      segmentValues = new Float64Array(Math.ceil(capacity * 1.25))
      segmentWeights = new Float64Array(segmentValues.length)
    }
    this.#values = segmentValues
    this.#weights = segmentWeights
  }

  take({ steps, plus, by, during, startNs, endNs }: CurvePart): void {
    const curve = new Cursor(steps, startNs)
    const other = plus && new Cursor(plus, startNs)
    const divisor = by && new Cursor(by, startNs)
    const mask = during && new Cursor(during, startNs)
    const blurred = during?.resolutionNs !== undefined
    const values = this.#values
    const weights = this.#weights
    let count = this.#count
    let last = Number.NaN
    let at = startNs
    while (at < endNs) {
      let next = curve.nextNs < endNs ? curve.nextNs : endNs
      if (other !== undefined && other.nextNs < next) next = other.nextNs
      if (divisor !== undefined && divisor.nextNs < next) next = divisor.nextNs
      if (mask !== undefined && mask.nextNs < next) next = mask.nextNs
      let value = curve.value
      let weight = next - at
      if (other !== undefined) {
        value += other.value
        if (next === other.nextNs) other.advance()
      }
      if (divisor !== undefined) {
        value = divisor.value > 0 ? value / divisor.value : 0
        if (next === divisor.nextNs) divisor.advance()
      }
      if (mask !== undefined) {
        // In a bin whose mean is below 1 the curve was above 0 for about that share of it.
        const share = blurred ? Math.min(1, mask.value) : mask.value > 0 ? 1 : 0
        weight *= share
        if (share > 0 && share < 1 && divisor === undefined) value /= share
        if (next === mask.nextNs) mask.advance()
      }
      if (next === curve.nextNs) curve.advance()
      at = next
      if (!(weight > 0)) continue
      if (value === last) weights[count - 1]! += weight
      else {
        values[count] = last = value
        weights[count++] = weight
      }
    }
    this.#count = count
  }

  statistics(): Statistics | undefined {
    const n = this.#count
    if (n === 0) return undefined
    const values = this.#values
    const weights = this.#weights
    let total = 0
    let area = 0
    let min = Infinity
    let max = -Infinity
    for (let i = 0; i < n; i++) {
      const v = values[i]!
      total += weights[i]!
      area += v * weights[i]!
      if (v < min) min = v
      if (v > max) max = v
    }
    const avg = Math.min(max, Math.max(min, area / total))
    let squares = 0
    for (let i = 0; i < n; i++) {
      const d = values[i]! - avg
      squares += weights[i]! * d * d
    }
    const statistics: Statistics = { avg, min, max, std: Math.sqrt(squares / total) }
    const found = selectWeighted(values, weights, n, min, max, PERCENTILES.map((q) => (q / 100) * total))
    PERCENTILES.forEach((q, i) => (statistics[`p${q}`] = found[i]!))
    return statistics
  }
}

/** Walks along a step function from a time on. */
class Cursor {
  value: number
  nextNs: number
  readonly #times: Float64Array
  readonly #values: Float64Array
  readonly #length: number
  #i: number

  constructor(steps: Steps, fromNs: number) {
    this.#times = steps.times
    this.#values = steps.values
    this.#length = steps.length
    this.#i = after(steps, fromNs)
    this.value = this.#i > 0 ? steps.values[this.#i - 1]! : 0
    this.nextNs = this.#i < steps.length ? steps.times[this.#i]! : Infinity
  }

  advance(): void {
    const i = this.#i++
    this.value = this.#values[i]!
    this.nextNs = i + 1 < this.#length ? this.#times[i + 1]! : Infinity
  }
}

/** Index of the first step after a time. */
function after(steps: Steps, ns: number): number {
  let low = 0
  let high = steps.length
  while (low < high) {
    const mid = (low + high) >>> 1
    if (steps.times[mid]! <= ns) low = mid + 1
    else high = mid
  }
  return low
}
