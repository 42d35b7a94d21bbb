import { FACTS, type FactName, type JsonObject, type RequestError } from '@aiperf/core'
import { columnsOf, type FactBatch, type FactColumns } from '../journal/batch.js'

const TYPES = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const
const BATCH_ROWS = 1024

class Times {
  values = new Float64Array(4096)
  used = 0
  append(source: Float64Array, count: number): void {
    if (this.used + count > this.values.length) {
      const larger = new Float64Array(Math.max(this.values.length * 2, this.used + count))
      larger.set(this.values)
      this.values = larger
    }
    this.values.set(count === source.length ? source : source.subarray(0, count), this.used)
    this.used += count
  }
}

/** Rows under construction: typed arrays that are filled, handed on, and filled anew. */
export class ColumnBuilder implements FactBatch {
  rows = 0
  readonly columns: FactColumns
  readonly #offsets = new Int32Array(BATCH_ROWS + 1)
  readonly #times = new Times()
  readonly #countOffsets = new Int32Array(BATCH_ROWS + 1)
  #counts: number[] = []
  readonly #reasons: string[] = []
  readonly #errors: (RequestError | undefined)[] = []
  readonly #fields: (JsonObject | undefined)[] = []

  constructor() {
    this.columns = columnsOf((name) => new TYPES[FACTS[name]](BATCH_ROWS))
  }

  get full(): boolean {
    return this.rows === BATCH_ROWS
  }

  set(name: FactName, value: number): void {
    this.columns[name][this.rows] = value
  }

  /** Ends the row. */
  commit(tokenNs: Float64Array, events: number, counts: readonly number[], reason: string, error: RequestError | undefined, fields: JsonObject | undefined): void {
    this.#times.append(tokenNs, events)
    for (const count of counts) this.#counts.push(count)
    this.#reasons.push(reason)
    this.#errors.push(error)
    this.#fields.push(fields)
    this.rows++
    this.#offsets[this.rows] = this.#times.used
    this.#countOffsets[this.rows] = this.#counts.length
  }

  clear(): void {
    this.rows = 0
    this.#times.used = 0
    this.#counts = []
    this.#reasons.length = this.#errors.length = this.#fields.length = 0
  }

  get tokenNs(): FactBatch['tokenNs'] {
    return { offsets: this.#offsets.subarray(0, this.rows + 1), values: this.#times.values.subarray(0, this.#times.used) }
  }
  get tokenCounts(): FactBatch['tokenCounts'] {
    return { offsets: this.#countOffsets.subarray(0, this.rows + 1), values: Uint32Array.from(this.#counts) }
  }
  finishReason(row: number): string {
    return this.#reasons[row]!
  }
  error(row: number): RequestError | undefined {
    return this.#errors[row]
  }
  fields(row: number): JsonObject | undefined {
    return this.#fields[row]
  }
}
