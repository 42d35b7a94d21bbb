import { FACTS, OUTCOMES, type FactName, type JsonObject, type Outcome, type RequestError } from '@aiperf/core'
import type { FactBatch, FactColumns } from '../journal/batch.js'

/** A record given by hand: facts that are left out have no value. */
export type RowFacts = Partial<Record<Exclude<FactName, 'outcome'>, number>> & {
  outcome?: Outcome
  tokenNs?: readonly number[]
  tokenCounts?: readonly number[]
  finishReason?: string
  error?: RequestError
  fields?: JsonObject
}

const ARRAYS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const

/**
 * A batch of records given by hand, to try metrics on. `outcome` is `done` when left out; the first, last and number of
 * content events follow from `tokenNs`.
 */
export function batchFromRows(rows: readonly RowFacts[]): FactBatch {
  const columns = Object.fromEntries(
    (Object.entries(FACTS) as [FactName, keyof typeof ARRAYS][]).map(([name, type]) => {
      const column = new ARRAYS[type](rows.length)
      rows.forEach((row, i) => (column[i] = factOf(row, name) ?? (type === 'f64' ? Number.NaN : 0)))
      return [name, column]
    }),
  ) as unknown as FactColumns
  return {
    rows: rows.length,
    columns,
    tokenNs: lists(rows.map((row) => row.tokenNs ?? []), Float64Array),
    tokenCounts: lists(rows.map((row) => row.tokenCounts ?? []), Uint32Array),
    finishReason: (row) => rows[row]!.finishReason ?? '',
    error: (row) => rows[row]!.error,
    fields: (row) => rows[row]!.fields,
  }
}

function factOf(row: RowFacts, name: FactName): number | undefined {
  if (name === 'outcome') return OUTCOMES.indexOf(row.outcome ?? 'done')
  const given = row[name]
  if (given !== undefined || row.tokenNs === undefined) return given
  if (name === 'firstTokenNs' || name === 'firstOutputNs') return row.tokenNs[0]
  if (name === 'lastTokenNs') return row.tokenNs.at(-1)
  return name === 'contentEvents' ? row.tokenNs.length : undefined
}

function lists<A extends Float64Array | Uint32Array>(parts: readonly (readonly number[])[], array: new (length: number) => A): { offsets: Int32Array; values: A } {
  const offsets = new Int32Array(parts.length + 1)
  parts.forEach((part, i) => (offsets[i + 1] = offsets[i]! + part.length))
  const values = new array(offsets[parts.length]!)
  parts.forEach((part, i) => values.set(part, offsets[i]))
  return { offsets, values }
}
