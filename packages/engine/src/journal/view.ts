import { FACTS, OUTCOMES, type JsonObject, type Outcome, type RecordView, type RequestError } from '@aiperf/core'
import type { FactBatch, FactColumns } from './batch.js'
import { CLASS_OF_OUTCOME, ROW_CLASS } from './row-class.js'

/** One object that is moved over the rows of one batch after another: set `batch`, then `row`. */
export interface MovingView extends RecordView {
  batch: FactBatch
  row: number
}

const NOTHING: JsonObject = {}

/** What is not a column. Token times and fields are looked up once per row, however many metrics read them. */
class Base {
  row = 0
  columns!: FactColumns
  #batch!: FactBatch
  #tokenRow = -1
  #tokens!: Float64Array
  #fieldRow = -1
  #fields: JsonObject = NOTHING

  get batch(): FactBatch {
    return this.#batch
  }
  set batch(batch: FactBatch) {
    this.#batch = batch
    this.columns = batch.columns
    this.#tokenRow = this.#fieldRow = -1
  }
  get outcomeName(): Outcome {
    return OUTCOMES[this.columns.outcome[this.row]!] ?? 'unknown'
  }
  get success(): boolean {
    return CLASS_OF_OUTCOME[this.columns.outcome[this.row]!] === ROW_CLASS.success
  }
  get finishReason(): string {
    return this.#batch.finishReason(this.row)
  }
  get error(): RequestError | undefined {
    return this.#batch.error(this.row)
  }
  get tokenNs(): Float64Array {
    if (this.#tokenRow !== this.row) {
      const { offsets, values } = this.#batch.tokenNs
      this.#tokens = values.subarray(offsets[this.row], offsets[this.row + 1])
      this.#tokenRow = this.row
    }
    return this.#tokens
  }
  get tokenCounts(): Uint32Array {
    const { offsets, values } = this.#batch.tokenCounts
    return values.subarray(offsets[this.row], offsets[this.row + 1])
  }
  field(name: string): number | readonly number[] | undefined {
    if (this.#fieldRow !== this.row) {
      this.#fields = this.#batch.fields(this.row) ?? NOTHING
      this.#fieldRow = this.row
    }
    return this.#fields[name] as number | readonly number[] | undefined
  }
}

/**
 * One getter per fact, each its own code: a getter made in a loop shares its code, and with it what the engine learned
 * about types, with all the others, which makes reading a fact five times as slow.
 */
const View = new Function(
  'Base',
  `return class extends Base {\n${Object.keys(FACTS)
    .map((name) => `get ${name}() { return this.columns.${name}[this.row] }`)
    .join('\n')}\n}`,
)(Base) as new () => MovingView

export function createView(): MovingView {
  return new View()
}
