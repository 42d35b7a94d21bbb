import { Histogram } from './histogram.js'

const CHUNK_BITS = 14
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1

/** Doubles in the order in which they came, in pieces, so that growing copies nothing. */
export class Doubles {
  length = 0
  #chunks: Float64Array[] = []

  push(value: number): void {
    const at = this.length & MASK
    const k = this.length >> CHUNK_BITS
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
    chunk[at] = value
    this.length++
  }

  append(values: Float64Array, from: number, to: number): void {
    while (from < to) {
      const at = this.length & MASK
      if (at === 0 || from + 1 === to) {
        // Makes the piece, and keeps the growing of a small first piece in one place.
        this.push(values[from++]!)
        continue
      }
      const chunk = this.#chunks[this.length >> CHUNK_BITS]!
      const room = Math.min(chunk.length - at, to - from)
      if (room <= 0) {
        this.push(values[from++]!)
        continue
      }
      if (room < 16) for (let i = 0; i < room; i++) chunk[at + i] = values[from + i]!
      else chunk.set(values.subarray(from, from + room), at)
      this.length += room
      from += room
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

  push(value: number): void {
    this.rows++
    if (this.#histogram !== undefined) {
      this.#histogram.record(value)
      if (value === value) this.count++
      return
    }
    if (this.#values === undefined) {
      if (this.rows === 1) this.#constant = value
      if (value === this.#constant) {
        this.count++
        return
      }
      if (value !== value && this.count === 0) return
      this.#values = new Doubles()
      this.#values.fill(this.#constant, this.rows - 1)
    }
    this.#values.push(value)
    if (value === value && ++this.count > this.#limit) this.#fold()
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
