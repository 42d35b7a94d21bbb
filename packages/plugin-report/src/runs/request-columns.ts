import type { RequestTable } from '@aiperf/core'
import { quantile } from '../figure/quantiles.js'

/** Numbers of which it is not known beforehand how many come. */
export class Column {
  #values = new Float64Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  done(): Float64Array {
    return this.#values.subarray(0, this.length)
  }
}

/** Requests as they are read, in any order. Times are ns on any clock. */
export interface RequestRows {
  startNs: Float64Array
  endNs: Float64Array
  succeeded: Float64Array
  /** Index into `errors`; 0: none. */
  error: Float64Array
  errors: readonly string[]
  /** Numbers that tell sessions apart. */
  session: Float64Array
  turn: Float64Array
  /** Id of a row. */
  id?(row: number): string
  values: ReadonlyMap<string, Float64Array>
}

/** Puts requests in order of start and counts time from the first one, or from `originNs`. */
export function requestTable(rows: RequestRows, originNs?: number): RequestTable {
  const count = rows.startNs.length
  const order = startOrder(rows.startNs)
  const arrange = (column: Float64Array): Float64Array => (order ? Float64Array.from(order, (i) => column[i]!) : column)
  const starts = arrange(rows.startNs)
  const origin = originNs ?? starts[0] ?? 0
  const seconds = (column: Float64Array): Float64Array => column.map((ns) => (ns - origin) / 1e9)
  const errors = arrange(rows.error)
  const numbers = new Map<number, number>()
  const session = Uint32Array.from(arrange(rows.session), (id) => {
    let number = numbers.get(id)
    if (number === undefined) numbers.set(id, (number = numbers.size))
    return number
  })
  const columns = new Map<string, Float64Array>()
  for (const [tag, column] of rows.values) if (column.some((value) => !Number.isNaN(value))) columns.set(tag, arrange(column))
  return {
    count,
    startSeconds: seconds(starts),
    endSeconds: seconds(arrange(rows.endNs)),
    succeeded: Uint8Array.from(arrange(rows.succeeded)),
    error: (index) => rows.errors[errors[index]!] ?? '',
    values: (tag) => columns.get(tag),
    session,
    turn: Uint16Array.from(arrange(rows.turn)),
    id: (index) => rows.id?.(order ? order[index]! : index) ?? '',
  }
}

/** Indexes in order of start; undefined when they are in order already. */
function startOrder(starts: Float64Array): Uint32Array | undefined {
  let sorted = true
  for (let i = 1; sorted && i < starts.length; i++) sorted = starts[i - 1]! <= starts[i]!
  return sorted ? undefined : Uint32Array.from(starts, (_, i) => i).sort((a, b) => starts[a]! - starts[b]!)
}

const LIST_PARTS = ['avg', 'p50', 'p95', 'std', 'min', 'max', 'range'] as const
export type ListPart = (typeof LIST_PARTS)[number]

/** `inter_chunk_latency_p95` is a statistic over the list that each request has; undefined when the tag is no such name. */
export function listPart(tag: string): { tag: string; part: ListPart } | undefined {
  const cut = tag.lastIndexOf('_')
  const part = LIST_PARTS.find((p) => p === tag.slice(cut + 1))
  return part && cut > 0 ? { tag: tag.slice(0, cut), part } : undefined
}

/** A statistic of a request's own list of values; `NaN` for none. */
export function reduceList(list: ArrayLike<number>, part: ListPart): number {
  const n = list.length
  if (n === 0) return Number.NaN
  const values = Float64Array.from(list)
  if (part === 'p50' || part === 'p95') return quantile(values.sort(), part === 'p50' ? 0.5 : 0.95)
  let sum = 0
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  const mean = sum / n
  switch (part) {
    case 'avg': return mean
    case 'min': return min
    case 'max': return max
    case 'range': return max - min
    case 'std': return n < 2 ? 0 : Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (n - 1))
  }
}
