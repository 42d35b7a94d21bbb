/** A table of numbers that grows. */
export class Rows {
  #values: Float64Array
  count = 0
  readonly width: number
  constructor(width: number) {
    this.width = width
    this.#values = new Float64Array(width * 256)
  }

  /** A new row of `NaN`. */
  add(): number {
    if ((this.count + 1) * this.width > this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.fill(Number.NaN, this.count * this.width, (this.count + 1) * this.width)
    return this.count++
  }

  set(row: number, column: number, value: number): void {
    this.#values[row * this.width + column] = value
  }

  shared(): SharedArrayBuffer {
    const buffer = new SharedArrayBuffer(Math.max(8, this.count * this.width * 8))
    new Float64Array(buffer).set(this.#values.subarray(0, this.count * this.width))
    return buffer
  }
}
