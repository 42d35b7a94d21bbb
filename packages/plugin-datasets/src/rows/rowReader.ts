import { closest, distance } from 'fastest-levenshtein'
import { isJsonObject, type Json, type JsonObject, type LoadReport } from '@aiperf/core'
import type { TableRow } from '../tables/tableRow.js'

/** Edits between a key and the one that was probably meant. */
const NEAR = 2

/** How a value is named in a message. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? (value.length === 0 ? 'an empty array' : 'an array') : 'an object'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

interface Where { file: string; line: number }

/** What a reader tells of: rows that cannot be used, and keys that mean nothing. */
export type RowReport = Pick<LoadReport, 'bad' | 'warn'>

/**
 * Reads the fields of one row: each reader gives the value, or notes what was expected and what was got. When all fields
 * are read, `accept` tells the report and says whether the row can be used.
 */
export class RowReader {
  readonly #row: JsonObject
  readonly #cells: boolean
  readonly #where: Where
  readonly #report: RowReport
  readonly #problems: string[] = []

  constructor(row: TableRow, report: RowReport) {
    this.#row = row.row
    this.#cells = row.cells ?? false
    this.#where = { file: row.file, line: row.line }
    this.#report = report
  }

  get line(): number {
    return this.#where.line
  }

  /** Whether the row says anything of it; null and empty cells say nothing. */
  has(key: string): boolean {
    const value = this.#row[key]
    return value !== undefined && value !== null && !(this.#cells && value === '')
  }

  /** The value, undefined when there is none; cells that hold JSON are read. */
  value(key: string): Json | undefined {
    if (!this.has(key)) return undefined
    const value = this.#row[key]
    if (!this.#cells || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
    try {
      return JSON.parse(value) as Json
    } catch {
      return value
    }
  }

  wrong(message: string): undefined {
    this.#problems.push(message)
    return undefined
  }

  /** Something a person should know of rows like this; said once. */
  note(message: string): void {
    this.#report.warn(`${this.#where.file}: ${message}`)
  }

  expected(key: string, what: string): undefined {
    return this.wrong(`${key}: expected ${what}, got ${shown(this.#row[key])}`)
  }

  /** A finite number of at least `least`. */
  number(key: string, what: string, least = 0): number | undefined {
    if (!this.has(key)) return undefined
    const value = this.#row[key]
    // Integers beyond 2⁵³ reach the row as text, cells always do.
    const number = typeof value === 'string' && (this.#cells ? value.trim() !== '' : /^-?\d{16,}$/.test(value)) ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) && number >= least ? number : this.expected(key, what)
  }

  integer(key: string, what: string, least = 0): number | undefined {
    const number = this.number(key, what, least)
    return number === undefined || Number.isInteger(number) ? number : this.expected(key, what)
  }

  text(key: string): string | undefined {
    if (!this.has(key)) return undefined
    const value = this.#row[key]
    return typeof value === 'string' ? value : this.expected(key, 'a text')
  }

  /** An id: a text that is not empty, or a number. */
  id(key: string): string | undefined {
    if (!this.has(key)) return undefined
    const value = this.#row[key]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : this.expected(key, 'a text that is not empty')
  }

  object(key: string): JsonObject | undefined {
    if (!this.has(key)) return undefined
    const value = this.value(key)
    return isJsonObject(value) ? value : this.expected(key, 'an object')
  }

  array(key: string, what = 'an array'): Json[] | undefined {
    if (!this.has(key)) return undefined
    const value = this.value(key)
    return Array.isArray(value) ? value : this.expected(key, what)
  }

  require(...keys: string[]): void {
    for (const key of keys) if (!this.has(key)) this.wrong(`${key}: is required`)
  }

  /** Exactly one of the keys, which is returned. */
  oneOf(keys: readonly string[]): string | undefined {
    const present = keys.filter((key) => this.has(key))
    if (present.length === 1) return present[0]
    return this.wrong(`expected exactly one of ${keys.join(', ')}, got ${present.length === 0 ? 'none' : present.join(' and ')}`)
  }

  /** At most one of the keys. */
  notBoth(first: string, second: string): void {
    if (this.has(first) && this.has(second)) this.wrong(`expected ${first} or ${second}, got both`)
  }

  /** Keys that mean nothing are ignored, but said once, with the key that was probably meant. */
  onlyKnown(known: readonly string[]): void {
    for (const key of Object.keys(this.#row)) {
      if (known.includes(key)) continue
      const nearest = closest(key, known)
      const near = nearest !== undefined && distance(nearest, key) <= NEAR
      this.#report.warn(`${this.#where.file}: the key "${key}" is not known and is ignored${near ? `; did you mean "${nearest}"?` : ''}`)
    }
  }

  /** Whether every field read so far was good; otherwise the row is reported as bad. */
  accept(): boolean {
    if (this.#problems.length === 0) return true
    this.#report.bad(this.#where, this.#problems.join('; '))
    return false
  }
}
