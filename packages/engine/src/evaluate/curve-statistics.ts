import type { Statistics } from '@aiperf/core'
import type { Steps } from './curve.js'
import { selectWeighted } from './select-weighted.js'

/** A curve over the windows of one scope. */
export interface CurvePart {
  readonly steps: Steps
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
  for (const { steps, by, during, startNs, endNs } of parts)
    for (const curve of [steps, by, during]) if (curve) capacity += after(curve, endNs) - after(curve, startNs) + 2
  const segments = new Segments(capacity)
  for (const part of parts) segments.take(part)
  return segments.statistics()
}

class Segments {
  readonly #values: Float64Array
  readonly #weights: Float64Array
  #count = 0

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity)
    this.#weights = new Float64Array(capacity)
  }

  take({ steps, by, during, startNs, endNs }: CurvePart): void {
    const curve = new Cursor(steps, startNs)
    const divisor = by === undefined ? undefined : new Cursor(by, startNs)
    const mask = during === undefined ? undefined : new Cursor(during, startNs)
    const blurred = during?.resolutionNs !== undefined
    let at = startNs
    while (at < endNs) {
      let next = Math.min(endNs, curve.nextNs)
      if (divisor !== undefined && divisor.nextNs < next) next = divisor.nextNs
      if (mask !== undefined && mask.nextNs < next) next = mask.nextNs
      let value = curve.value
      if (divisor !== undefined) value = divisor.value > 0 ? value / divisor.value : 0
      let weight = next - at
      if (mask !== undefined) {
        // In a bin whose mean is below 1 the curve was above 0 for about that share of it.
        const share = blurred ? Math.min(1, mask.value) : mask.value > 0 ? 1 : 0
        weight *= share
        if (share > 0 && share < 1 && divisor === undefined) value /= share
      }
      if (weight > 0) this.#add(value, weight)
      if (next === curve.nextNs) curve.advance()
      if (divisor !== undefined && next === divisor.nextNs) divisor.advance()
      if (mask !== undefined && next === mask.nextNs) mask.advance()
      at = next
    }
  }

  #add(value: number, weight: number): void {
    const last = this.#count - 1
    if (last >= 0 && this.#values[last] === value) {
      this.#weights[last]! += weight
      return
    }
    this.#values[this.#count] = value
    this.#weights[this.#count] = weight
    this.#count++
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
    const avg = area / total
    let squares = 0
    for (let i = 0; i < n; i++) squares += weights[i]! * (values[i]! - avg) ** 2
    const statistics: Statistics = { avg, min, max, std: Math.sqrt(squares / total) }
    const targets = PERCENTILES.map((q) => (q / 100) * total)
    const found = selectWeighted(values, weights, n, targets)
    PERCENTILES.forEach((q, i) => (statistics[`p${q}`] = found[i]!))
    return statistics
  }
}

/** Walks along a step function from a time on. */
class Cursor {
  value = 0
  nextNs = Infinity
  readonly #steps: Steps
  #i: number

  constructor(steps: Steps, fromNs: number) {
    this.#steps = steps
    this.#i = after(steps, fromNs)
    this.value = this.#i > 0 ? steps.values[this.#i - 1]! : 0
    this.nextNs = this.#i < steps.length ? steps.times[this.#i]! : Infinity
  }

  advance(): void {
    const { times, values, length } = this.#steps
    this.value = values[this.#i]!
    this.#i++
    this.nextNs = this.#i < length ? times[this.#i]! : Infinity
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
