import type { AggregateMetric, RecordSelection } from '@aiperf/core'
import { Column, Doubles, ListColumn } from './column.js'
import type { RowPick } from './row-pick.js'
import type { BatchValues } from './row-values.js'
import { Histogram } from './histogram.js'
import { compensatedSum } from './loops.js'
import { Scratch } from './scratch.js'
import { constant, summarise, summariseHistogram, type Summary } from './statistics.js'

/** Compensated sum, minimum and maximum of what records contribute to an aggregate. */
class Fold {
  #sum = 0
  #lost = 0
  #min = Infinity
  #max = -Infinity
  count = 0

  add(v: number): void {
    const t = this.#sum + v
    this.#lost += Math.abs(this.#sum) >= Math.abs(v) ? this.#sum - t + v : v - t + this.#sum
    this.#sum = t
    if (v < this.#min) this.#min = v
    if (v > this.#max) this.#max = v
    this.count++
  }

  result(fold: AggregateMetric['fold']): number | undefined {
    if (this.count === 0) return undefined
    return fold === 'sum' ? this.#sum + this.#lost : fold === 'min' ? this.#min : this.#max
  }
}

/** Lists of contributions, added up place by place. */
class Tally {
  readonly counts: number[] = []

  add(list: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.counts[i - from] = (this.counts[i - from] ?? 0) + list[i]!
  }
}

const SELECTIONS: readonly RecordSelection[] = ['success', 'error', 'all']

/**
 * The values of a set of records: a phase, a time slice, a steady state. One column per metric that has values, aligned
 * with the records of its selection, so that a part can be cut out by time later.
 */
export class Sample {
  readonly #limit: number
  readonly #columns: (Column | ListColumn | undefined)[]
  readonly #folds: (Fold | undefined)[]
  readonly #tallies = new Map<number, Tally>()
  readonly #values: BatchValues
  /** Last byte of every record, per selection: what `cut` goes by. */
  readonly #ends: Readonly<Record<RecordSelection, Doubles>> | undefined
  #rows: Record<RecordSelection, number> = { success: 0, error: 0, all: 0 }

  constructor(values: BatchValues, options: { exactValues: number; canCut: boolean }) {
    this.#values = values
    this.#limit = options.exactValues
    this.#columns = new Array<undefined>(values.slots.length)
    this.#folds = new Array<undefined>(values.slots.length)
    this.#ends = options.canCut ? { success: new Doubles(), error: new Doubles(), all: new Doubles() } : undefined
  }

  /** Adds rows of the batch that is loaded. */
  add(pick: RowPick): void {
    const { slots, batch } = this.#values
    for (let s = 0; s < slots.length; s++) {
      const slot = slots[s]!
      const { rows, count } = pick[slot.selection]
      if (slot.metric.kind === 'aggregate') {
        if (slot.metric.fold === 'tally') {
          this.#addTallies(s, rows, count)
          continue
        }
        for (let i = 0; i < count; i++) {
          const v = slot.values[rows[i]!]!
          if (v === v) (this.#folds[s] ??= new Fold()).add(v)
        }
        if (this.#ends === undefined || slot.metric.wholePhaseOnly) continue
      }
      if (slot.list !== undefined) {
        this.#addLists(s, rows, count)
        continue
      }
      const column = (this.#columns[s] ??= new Column(this.#limit)) as Column
      column.append(slot.values, rows, count)
    }
    const end = batch.columns.endNs
    for (const selection of SELECTIONS) {
      const { rows, count } = pick[selection]
      this.#rows[selection] += count
      const ends = this.#ends?.[selection]
      ends?.take(end, rows, 0, count)
    }
  }

  #addLists(s: number, rows: Int32Array, count: number): void {
    const slot = this.#values.slots[s]!
    let column = this.#columns[s]
    if (!(column instanceof ListColumn)) {
      // Rows before the first list had none.
      column = this.#columns[s] = new ListColumn(this.#limit)
      for (let i = 0; i < this.#rows[slot.selection]; i++) column.push(EMPTY, 0, 0)
    }
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      const length = slot.values[row]!
      const start = slot.starts![row]!
      if (length === length) column.push(slot.list!, start, start + length)
      else column.push(EMPTY, 0, 0)
    }
  }

  #addTallies(s: number, rows: Int32Array, count: number): void {
    const { list, values, starts } = this.#values.slots[s]!
    if (list === undefined) return
    const tally = this.#tallies.get(s) ?? new Tally()
    this.#tallies.set(s, tally)
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      if (values[row] === values[row]) tally.add(list, starts![row]!, starts![row]! + values[row]!)
    }
  }

  /** Number of records of a selection. */
  records(selection: RecordSelection): number {
    return this.#rows[selection]
  }

  column(slot: number): Column | ListColumn | undefined {
    return this.#columns[slot]
  }

  fold(slot: number): number | undefined {
    const metric = this.#values.slots[slot]!.metric
    return metric.kind === 'aggregate' ? this.#folds[slot]?.result(metric.fold) : undefined
  }

  tally(slot: number): readonly number[] | undefined {
    return this.#tallies.get(slot)?.counts
  }

  /** True while the columns of these slots still hold their values. */
  exact(slots: Iterable<number>): boolean {
    for (const slot of slots) if (this.#columns[slot]?.histogram !== undefined) return false
    return true
  }

  /** Marks the records that ended in [startNs, endNs], per selection. */
  keepEndedWithin(startNs: number, endNs: number): Record<RecordSelection, Uint8Array> {
    const marks = (ends: Doubles): Uint8Array => {
      const keep = new Uint8Array(ends.length)
      let row = 0
      for (const { values, count } of ends.pieces()) for (let i = 0; i < count; i++, row++) keep[row] = values[i]! >= startNs && values[i]! <= endNs ? 1 : 0
      return keep
    }
    const ends = this.#ends!
    return { success: marks(ends.success), error: marks(ends.error), all: marks(ends.all) }
  }
}

const EMPTY = new Float64Array(0)

/** Part of a sample: all of it, or the records marked. */
export interface SamplePart {
  readonly sample: Sample
  readonly keep?: Readonly<Record<RecordSelection, Uint8Array>>
}

const scratch = new Scratch()

/** Values of a slot over parts, in a buffer that the next call overwrites. */
export function gather(parts: readonly SamplePart[], slot: number, selection: RecordSelection): { values: Float64Array; count: number } {
  let capacity = 0
  for (const { sample } of parts) capacity += sample.column(slot)?.count ?? 0
  const values = scratch.room(capacity)
  let count = 0
  for (const { sample, keep } of parts) count = sample.column(slot)?.copyTo(values, count, keep?.[selection]) ?? count
  return { values, count }
}

/** Statistics of a record metric over parts; undefined when no record has a value. */
export function summary(parts: readonly SamplePart[], slot: number, selection: RecordSelection): Summary | undefined {
  const columns = parts.map(({ sample }) => sample.column(slot))
  const total = columns.reduce((sum, column) => sum + (column?.count ?? 0), 0)
  if (total === 0) return undefined
  const first = columns[0]
  if (parts.length === 1 && parts[0]!.keep === undefined && first instanceof Column && !Number.isNaN(first.constant)) return constant(first.constant, first.count)
  if (columns.some((column) => column?.histogram !== undefined)) return cut(parts) ? undefined : summariseHistogram(merged(parts, slot))
  const { values, count } = gather(parts, slot, selection)
  return count === 0 ? undefined : summarise(values, count)
}

/** A histogram no longer knows which records its values came from: no part can be cut out of it. */
function cut(parts: readonly SamplePart[]): boolean {
  return parts.some(({ keep }) => keep !== undefined)
}

/** One histogram of parts of which some are too large to be kept exactly. */
export function merged(parts: readonly SamplePart[], slot: number): Histogram {
  const all = new Histogram()
  for (const { sample } of parts) {
    const column = sample.column(slot)
    if (column === undefined || column.count === 0) continue
    if (column.histogram) all.merge(column.histogram)
    else {
      const values = new Float64Array(column.count)
      all.recordAll(values, 0, column.copyTo(values, 0))
    }
  }
  return all
}

/** Sum of a record metric's values (or an aggregate's contributions) over parts; undefined when there are none. */
export function sum(parts: readonly SamplePart[], slot: number, selection: RecordSelection): number | undefined {
  if (parts.some(({ sample }) => sample.column(slot)?.histogram)) return cut(parts) ? undefined : merged(parts, slot).sum
  const { values, count } = gather(parts, slot, selection)
  return count === 0 ? undefined : compensatedSum(values, count)
}
