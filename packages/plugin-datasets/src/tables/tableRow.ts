import type { Json, JsonObject } from '@aiperf/core'

/** A record of a dataset file, whatever its format. */
export interface TableRow {
  row: JsonObject
  file: string
  /** Physical line; number of the record from 1 where a format has no lines. */
  line: number
  /** The values are cells of a CSV file: texts, also where a number is meant. */
  cells?: true
}

/** A value of a binary table as JSON has it: wide integers as text when they do not fit, times in ms, bytes as they are. */
export function plainValue(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  if (Array.isArray(value)) return value.map(plainValue)
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, plainValue)
  if (typeof (value as { toArray?: unknown }).toArray === 'function') return Array.from((value as { toArray(): Iterable<unknown> }).toArray(), plainValue)
  return plainRow(value as Record<string, unknown>)
}

export function plainRow(row: Record<string, unknown>): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plainValue(value)]))
}
