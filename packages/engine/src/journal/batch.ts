import { FACTS, type FactName, type JsonObject, type RequestError } from '@aiperf/core'

type ColumnOf<T> = T extends 'f64' ? Float64Array : T extends 'u32' ? Uint32Array : T extends 'u16' ? Uint16Array : Uint8Array

/** Columns of facts by name; all have `rows` entries. */
export type FactColumns = { [K in FactName]: ColumnOf<(typeof FACTS)[K]> }

/** Columns by what gives each. Made from entries: an object that gets its members one by one becomes a hash table, slow to read. */
export function columnsOf(column: (name: FactName) => ArrayLike<number>): FactColumns {
  return Object.fromEntries((Object.keys(FACTS) as FactName[]).map((name) => [name, column(name)])) as unknown as FactColumns
}

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
