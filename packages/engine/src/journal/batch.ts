import { FACTS, OUTCOMES, type FactName, type JsonObject, type Outcome, type RecordView, type RequestError } from '@aiperf/core'

type ColumnOf<T> = T extends 'f64' ? Float64Array : T extends 'u32' ? Uint32Array : T extends 'u16' ? Uint16Array : Uint8Array

/** Columns of facts by name; all have `rows` entries. */
export type FactColumns = { [K in FactName]: ColumnOf<(typeof FACTS)[K]> }

/** Rows of the journal: typed arrays, one per fact. A batch is what is written, read, evaluated and exported. */
export interface FactBatch {
  readonly rows: number
  readonly columns: FactColumns
  /** Row i has `tokenNs.values[offsets[i] … offsets[i+1]−1]`. */
  readonly tokenNs: { readonly offsets: Int32Array; readonly values: Float64Array }
  readonly tokenCounts: { readonly offsets: Int32Array; readonly values: Uint32Array }
  finishReason(row: number): string
  error(row: number): RequestError | undefined
  fields(row: number): JsonObject | undefined
}

/** One object that moves over the rows of batches. */
export interface MovingView extends RecordView {
  batch: FactBatch
  row: number
}

const SUCCESS = new Set<Outcome>(['done', 'finish', 'body'])

class View {
  batch!: FactBatch
  row = 0
  get outcomeName(): Outcome {
    return OUTCOMES[this.batch.columns.outcome[this.row]!] ?? 'unknown'
  }
  get success(): boolean {
    return SUCCESS.has(this.outcomeName)
  }
  get finishReason(): string {
    return this.batch.finishReason(this.row)
  }
  get error(): RequestError | undefined {
    return this.batch.error(this.row)
  }
  get tokenNs(): Float64Array {
    const { offsets, values } = this.batch.tokenNs
    return values.subarray(offsets[this.row], offsets[this.row + 1])
  }
  get tokenCounts(): Uint32Array {
    const { offsets, values } = this.batch.tokenCounts
    return values.subarray(offsets[this.row], offsets[this.row + 1])
  }
  field(name: string): number | readonly number[] | undefined {
    return this.batch.fields(this.row)?.[name] as number | readonly number[] | undefined
  }
}
for (const name of Object.keys(FACTS) as FactName[])
  Object.defineProperty(View.prototype, name, {
    get(this: View): number {
      return this.batch.columns[name][this.row]!
    },
  })

/** A view to move over batches: set `batch`, then `row`. */
export function createView(): MovingView {
  return new View() as unknown as MovingView
}
