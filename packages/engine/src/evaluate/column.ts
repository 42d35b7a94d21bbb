import { Histogram } from './histogram.js'

const CHUNK_BITS = 14
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1

/** Doubles in the order in which they came, in pieces, so that growing copies nothing. */
export class Doubles {
  length = 0
  #chunks: Float64Array[] = []

  push(value: number): void {
    const chunk = this.#room()
    chunk[this.length++ & MASK] = value
  }

  /** The piece that the next value goes into; it has room for one at least. */
  #room(): Float64Array {
    const k = this.length >> CHUNK_BITS
    const at = this.length & MASK
    let chunk = this.#chunks[k]
    if (chunk === undefined) {
      // The first piece starts small: a run has many columns, most runs are short.
      chunk = new Float64Array(k === 0 ? 64 : CHUNK)
      this.#chunks.push(chunk)
    } else if (at >= chunk.length) {
      const larger = new Float64Array(Math.min(CHUNK, chunk.length * 4))
      larger.set(chunk)
      this.#chunks[k] = chunk = larger
    }
    return chunk
  }

  /** Adds the values of `rows[from … to−1]` of a batch; returns how many of them are numbers. */
  take(batch: Float64Array, rows: Int32Array, from: number, to: number): number {
    let numbers = 0
    while (from < to) {
      const chunk = this.#room()
      const at = this.length & MASK
      const count = Math.min(chunk.length - at, to - from)
      for (let i = 0; i < count; i++) {
        const value = batch[rows[from + i]!]!
        chunk[at + i] = value
        if (value === value) numbers++
      }
      this.length += count
      from += count
    }
    return numbers
  }

  append(values: Float64Array, from: number, to: number): void {
    while (from < to) {
      const chunk = this.#room()
      const at = this.length & MASK
      const count = Math.min(chunk.length - at, to - from)
      for (let i = 0; i < count; i++) chunk[at + i] = values[from + i]!
      this.length += count
      from += count
    }
  }

  fill(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.push(value)
  }

  get(i: number): number {
    return this.#chunks[i >> CHUNK_BITS]![i & MASK]!
  }

  /** The pieces, in order, each with the number of values used. */
  *pieces(): Generator<{ values: Float64Array; count: number }> {
    let left = this.length
    for (const values of this.#chunks) {
      const count = Math.min(left, CHUNK)
      yield { values, count }
      left -= count
    }
  }
}

/**
 * Values of one metric, one per row of its selection of records; NaN where a row has none. A column that has had the same
 * value on every row keeps that value alone. Past `limit` values it keeps a histogram instead of the values.
 */
export class Column {
  /** Rows, those without a value included. */
  rows = 0
  /** Rows with a value. */
  count = 0
  #constant = Number.NaN
  #values: Doubles | undefined
  #histogram: Histogram | undefined
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds the values of `rows[0 … count−1]` of a batch. */
  append(batch: Float64Array, rows: Int32Array, count: number): void {
    let i = 0
    if (this.rows === 0 && count > 0) this.#constant = batch[rows[0]!]!
    if (this.#values === undefined && this.#histogram === undefined) {
      const constant = this.#constant
      if (constant === constant) while (i < count && batch[rows[i]!] === constant) i++
      else while (i < count && batch[rows[i]!] !== batch[rows[i]!]) i++
      this.rows += i
      if (constant === constant) this.count += i
      if (i === count) return
      this.#values = new Doubles()
      this.#values.fill(constant, this.rows)
    }
    this.rows += count - i
    if (this.#histogram) {
      const before = this.#histogram.count
      for (; i < count; i++) this.#histogram.record(batch[rows[i]!]!)
      this.count += this.#histogram.count - before
      return
    }
    this.count += this.#values!.take(batch, rows, i, count)
    if (this.count > this.#limit) this.#fold()
  }

  #fold(): void {
    const histogram = new Histogram()
    for (const { values, count } of this.#values!.pieces()) histogram.recordAll(values, 0, count)
    this.#histogram = histogram
    this.#values = undefined
  }

  get histogram(): Histogram | undefined {
    return this.#histogram
  }

  /** The one value of every row; NaN when rows differ or have none. */
  get constant(): number {
    return this.#values === undefined && this.#histogram === undefined ? this.#constant : Number.NaN
  }

  /**
   * Copies values to `target` from `at` on, all of them or those of the rows for which `keep` is 1; returns where they
   * end. Not for columns that are a histogram.
   */
  copyTo(target: Float64Array, at: number, keep?: Uint8Array): number {
    if (this.#values === undefined) {
      if (this.count === 0) return at
      for (let row = 0; row < this.rows; row++) if (keep === undefined || keep[row] === 1) target[at++] = this.#constant
      return at
    }
    let row = 0
    for (const { values, count } of this.#values.pieces())
      for (let i = 0; i < count; i++, row++) {
        const value = values[i]!
        if (value === value && (keep === undefined || keep[row] === 1)) target[at++] = value
      }
    return at
  }
}

/** Lists, one per row of a selection of records, pooled into one sample. */
export class ListColumn {
  count = 0
  #values: Doubles | undefined = new Doubles()
  #histogram: Histogram | undefined
  readonly #lengths: number[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  push(list: Float64Array, from: number, to: number): void {
    this.count += to - from
    if (this.#values && this.count > this.#limit) {
      this.#histogram = new Histogram()
      for (const { values, count } of this.#values.pieces()) this.#histogram.recordAll(values, 0, count)
      this.#values = undefined
    }
    if (this.#histogram) {
      this.#histogram.recordAll(list, from, to)
      return
    }
    this.#lengths.push(to - from)
    this.#values!.append(list, from, to)
  }

  get histogram(): Histogram | undefined {
    return this.#histogram
  }

  copyTo(target: Float64Array, at: number, keep?: Uint8Array): number {
    let row = 0
    let left = this.#lengths[0] ?? 0
    for (const { values, count } of this.#values!.pieces()) {
      if (keep === undefined) {
        target.set(count === values.length ? values : values.subarray(0, count), at)
        at += count
        continue
      }
      for (let i = 0; i < count; i++) {
        while (left === 0) left = this.#lengths[++row]!
        if (keep[row] === 1) target[at++] = values[i]!
        left--
      }
    }
    return at
  }
}
