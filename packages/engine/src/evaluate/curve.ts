import type { CurveBuilder } from '@aiperf/core'
import { Doubles } from './column.js'
import type { Steps } from './steps.js'
import { sortByTime } from './time-sort.js'

/** Steps smaller than this share of the largest value are what additions left over. */
const RESIDUE = 1e-9

/**
 * Adds up what requests contribute to a curve, in any order. Up to `exactSteps` contributions are kept and sorted when the
 * curve is read; beyond, they are added to time bins, which hold the integral of the curve exactly and its shape to the
 * width of a bin. Bins double their width when time runs out of them.
 */
export class Curve implements CurveBuilder {
  #times: Doubles | undefined = new Doubles()
  #deltas: Doubles | undefined = new Doubles()
  #bins: TimeBins | undefined
  #steps: Steps | undefined
  readonly #exactSteps: number
  readonly #newBins: () => TimeBins

  constructor(limits: { exactSteps: number; timeBins: number }, originNs: number) {
    this.#exactSteps = limits.exactSteps
    this.#newBins = () => new TimeBins(originNs, limits.timeBins)
  }

  add(ns: number, delta: number): void {
    // NaN in either is no contribution: the fact it came from has no value.
    if (delta === 0 || delta !== delta || ns !== ns) return
    if (this.#times === undefined) {
      this.#bins!.add(ns, delta)
      return
    }
    this.#times.push(ns)
    this.#deltas!.push(delta)
    if (this.#times.length > this.#exactSteps) this.#fold()
  }

  addEach(times: Float64Array, deltas: Float64Array | number): void {
    const n = times.length
    const each = typeof deltas === 'number' ? repeated(deltas, n) : deltas
    if (this.#times === undefined) {
      this.#bins!.addEach(times, each, n)
      return
    }
    this.#times.append(times, 0, n)
    this.#deltas!.append(each, 0, n)
    if (this.#times.length > this.#exactSteps) this.#fold()
  }

  #fold(): void {
    const bins = this.#newBins()
    const deltas = this.#deltas!.pieces()
    for (const { values, count } of this.#times!.pieces()) bins.addEach(values, deltas.next().value!.values, count)
    this.#bins = bins
    this.#times = this.#deltas = undefined
  }

  /** The curve so far; nothing can be added afterwards. */
  steps(): Steps {
    return (this.#steps ??= this.#bins ? this.#bins.steps() : this.#sorted())
  }

  #sorted(): Steps {
    const n = this.#times!.length
    const { times, deltas } = sortByTime(flat(this.#times!), flat(this.#deltas!))
    this.#times = this.#deltas = undefined
    let length = 0
    let value = 0
    let largest = 0
    for (let i = 0; i < n; ) {
      const at = times[i]!
      // What happens at one moment is one step, whatever the order in which it was added.
      while (i < n && times[i] === at) value += deltas[i++]!
      times[length] = at
      deltas[length] = value
      length++
      largest = Math.max(largest, Math.abs(value))
    }
    for (let i = 0; i < length; i++) if (Math.abs(deltas[i]!) < largest * RESIDUE) deltas[i] = 0
    return { times, values: deltas, length, resolutionNs: undefined }
  }
}

let same = new Float64Array(0)

/** An array that begins with n times the same number; the next call overwrites it. */
function repeated(value: number, n: number): Float64Array {
  if (same.length < n) same = new Float64Array(n * 2)
  return same.fill(value, 0, n)
}

function flat(doubles: Doubles): Float64Array {
  const out = new Float64Array(doubles.length)
  let at = 0
  for (const { values, count } of doubles.pieces()) {
    out.set(values.subarray(0, count), at)
    at += count
  }
  return out
}

const FIRST_WIDTH_NS = 2 ** 17

/** Integral of a curve in time bins of equal width. */
class TimeBins {
  /** A power of 2, so that multiplying by its inverse is exact. */
  #widthNs = FIRST_WIDTH_NS
  #perNs = 1 / FIRST_WIDTH_NS
  readonly #originNs: number
  /** Per bin: the sum of its steps, and their integral up to the end of the bin. */
  readonly #deltas: Float64Array
  readonly #partial: Float64Array

  constructor(originNs: number, bins: number) {
    this.#originNs = originNs
    this.#deltas = new Float64Array(bins)
    this.#partial = new Float64Array(bins)
  }

  add(ns: number, delta: number): void {
    one[0] = ns
    oneDelta[0] = delta
    this.addEach(one, oneDelta, 1)
  }

  addEach(times: Float64Array, each: Float64Array, n: number): void {
    let largest = 0
    for (let i = 0; i < n; i++) if (times[i]! > largest) largest = times[i]!
    while ((largest - this.#originNs) * this.#perNs >= this.#deltas.length) this.#widen()
    addToBins(this.#deltas, this.#partial, this.#originNs, this.#widthNs, times, each, n)
  }

  #widen(): void {
    const deltas = this.#deltas
    const partial = this.#partial
    const half = deltas.length >> 1
    for (let i = 0; i < half; i++) {
      const a = 2 * i
      partial[i] = partial[a]! + deltas[a]! * this.#widthNs + partial[a + 1]!
      deltas[i] = deltas[a]! + deltas[a + 1]!
    }
    deltas.fill(0, half)
    partial.fill(0, half)
    this.#widthNs *= 2
    this.#perNs /= 2
  }

  steps(): Steps {
    const width = this.#widthNs
    const length = this.#deltas.length
    const times = new Float64Array(length + 1)
    const values = new Float64Array(length + 1)
    let level = 0
    let largest = 0
    for (let i = 0; i < length; i++) {
      times[i] = this.#originNs + i * width
      const value = level + this.#partial[i]! / width
      values[i] = value
      level += this.#deltas[i]!
      largest = Math.max(largest, Math.abs(value))
    }
    times[length] = this.#originNs + length * width
    values[length] = level
    for (let i = 0; i <= length; i++) if (Math.abs(values[i]!) < largest * RESIDUE) values[i] = 0
    return { times, values, length: length + 1, resolutionNs: width }
  }
}

const one = new Float64Array(1)
const oneDelta = new Float64Array(1)

function addToBins(sums: Float64Array, partial: Float64Array, originNs: number, widthNs: number, times: Float64Array, each: Float64Array, n: number): void {
  const perNs = 1 / widthNs
  for (let i = 0; i < n; i++) {
    const ns = times[i]! - originNs
    const at = ns > 0 ? ns : 0
    const bin = (at * perNs) | 0
    const delta = each[i]!
    sums[bin]! += delta
    partial[bin]! += delta * ((bin + 1) * widthNs - at)
  }
}
