import type { AggregateMetric, Metric, MetricContext, RecordMetric, RecordSelection, RunManifest } from '@aiperf/core'
import type { FactBatch } from '../journal/batch.js'
import { CLASS_OF_OUTCOME } from '../journal/row-class.js'
import { RowPick } from './row-pick.js'
import { createView } from '../journal/view.js'
import { displayDivisor } from './units.js'

/** Values of single records. */
export interface RowValues {
  /** Computes all record metrics (and aggregates' contributions) of a batch; replaces the batch before. */
  load(batch: FactBatch): void
  /** Value of a metric for a row of the loaded batch, in display unit; a list is a fresh array. */
  value(tag: string, row: number): number | Float64Array | undefined
}

type RowMetric = RecordMetric | AggregateMetric

/** The values of one metric for the rows of a batch. */
interface SlotValues {
  readonly divisor: number
  /** NaN: no value. The number of elements for lists. */
  values: Float64Array
  /** Lists of the batch, pooled; row i has `list[starts[i] … starts[i] + values[i] − 1]`. */
  list: Float64Array | undefined
  starts: Int32Array | undefined
}

interface Slot extends SlotValues {
  readonly metric: RowMetric
  readonly selection: RecordSelection
  /** Slots whose value a row must have. */
  readonly needs: readonly Slot[]
  listUsed: number
  /** Some row of the batch has a value. */
  filled: boolean
  /** The formula threw: the metric has no values any more. */
  failed: boolean
}

/** Told once for each metric whose formula threw. */
export type Fault = (tag: string, error: unknown) => void

function hasAll(needs: readonly Slot[], row: number): boolean {
  for (let k = 0; k < needs.length; k++) {
    const value = needs[k]!.values[row]!
    if (value !== value) return false
  }
  return true
}

/** Computes record metrics and contributions to aggregates, column by column, for one batch after another. */
export class BatchValues implements RowValues {
  readonly slots: readonly Slot[]
  rows = 0
  batch!: FactBatch
  /** Class of each row, see `ROW_CLASS`. */
  classes = new Uint8Array(0)
  readonly #bySlot: ReadonlyMap<string, Slot>
  readonly #view = createView()
  readonly context: MetricContext
  readonly #phaseStarts: readonly number[]
  readonly #fault: Fault
  /** Rows of the batch by selection. */
  readonly #pick = new RowPick()
  #onePhase = true
  #row = 0
  readonly #valueOf = (tag: string): number | undefined => {
    const slot = this.#bySlot.get(tag)
    if (slot === undefined || slot.list !== undefined) return undefined
    const value = slot.values[this.#row]!
    return value === value ? value : undefined
  }

  /** `metrics` in order of evaluation; others than record and aggregate metrics are passed over. */
  constructor(metrics: readonly Metric[], context: MetricContext, phaseStarts: readonly number[], fault: Fault = () => {}) {
    this.#fault = fault
    const bySlot = new Map<string, Slot>()
    for (const metric of metrics) {
      if (metric.kind !== 'record' && metric.kind !== 'aggregate') continue
      const needs = (metric.requires ?? []).flatMap((tag) => bySlot.get(tag) ?? [])
      bySlot.set(metric.tag, {
        metric,
        selection: metric.records ?? 'success',
        needs,
        divisor: displayDivisor(metric) ?? 1,
        values: new Float64Array(0),
        list: undefined,
        starts: undefined,
        listUsed: 0,
        filled: true,
        failed: false,
      })
    }
    this.slots = [...bySlot.values()]
    this.#bySlot = bySlot
    this.context = { ...context }
    this.#phaseStarts = phaseStarts
  }

  load(batch: FactBatch): void {
    this.batch = batch
    this.rows = batch.rows
    this.#view.batch = batch
    this.#classify(batch)
    for (const slot of this.slots) {
      if (slot.values.length < batch.rows) {
        slot.values = new Float64Array(batch.rows)
        if (slot.starts) slot.starts = new Int32Array(batch.rows)
        slot.filled = true
      }
      if (slot.filled) slot.values.fill(Number.NaN)
      slot.filled = false
      try {
        if (!slot.failed) this.#compute(slot)
      } catch (error) {
        slot.failed = true
        slot.filled = false
        slot.values.fill(Number.NaN)
        this.#fault(slot.metric.tag, error)
      }
    }
  }

  #classify(batch: FactBatch): void {
    if (this.classes.length < batch.rows) this.classes = new Uint8Array(batch.rows)
    const { outcome, phase } = batch.columns
    this.#pick.clear()
    this.#onePhase = true
    for (let row = 0; row < batch.rows; row++) {
      const rowClass = CLASS_OF_OUTCOME[outcome[row]!]!
      this.classes[row] = rowClass
      this.#pick.add(row, rowClass)
      if (phase[row] !== phase[0]) this.#onePhase = false
    }
    this.context.phaseStartNs = this.#phaseStarts[phase[0]!] ?? 0
  }

  #compute(slot: Slot): void {
    const { metric, needs, values } = slot
    const { rows, count } = this.#pick[slot.selection]
    const view = this.#view
    const context = this.context
    const onePhase = this.#onePhase
    slot.listUsed = 0
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      if (needs.length > 0 && !hasAll(needs, row)) continue
      view.row = row
      this.#row = row
      if (!onePhase) context.phaseStartNs = this.#phaseStarts[view.phase] ?? 0
      const value = metric.compute(view, this.#valueOf, context)
      if (value === undefined) continue
      slot.filled = true
      if (typeof value === 'number') values[row] = value
      else this.#keepList(slot, row, value)
    }
  }

  #keepList(slot: Slot, row: number, value: Float64Array): void {
    const starts = (slot.starts ??= new Int32Array(slot.values.length))
    const needed = slot.listUsed + value.length
    let list = (slot.list ??= new Float64Array(Math.max(1024, needed)))
    if (needed > list.length) {
      const larger = new Float64Array(Math.max(needed, list.length * 2))
      larger.set(list.subarray(0, slot.listUsed))
      slot.list = list = larger
    }
    list.set(value, slot.listUsed)
    starts[row] = slot.listUsed
    slot.values[row] = value.length
    slot.listUsed = needed
  }

  value(tag: string, row: number): number | Float64Array | undefined {
    return valueAt(this.#bySlot.get(tag), row)
  }

  /** Bytes that the values of the loaded batch take. */
  get bytes(): number {
    return this.slots.reduce((sum, { filled, values, list, starts }) => (filled ? sum + values.byteLength + (list?.byteLength ?? 0) + (starts?.byteLength ?? 0) : sum), 0)
  }

  /** Hands over the values of the loaded batch, which stay when the next one is loaded. */
  keep(): Pick<RowValues, 'value'> {
    const kept = new Map<string, SlotValues>()
    for (const slot of this.slots) {
      if (!slot.filled) continue
      const { values, list, starts, divisor } = slot
      kept.set(slot.metric.tag, { values, list, starts, divisor })
      slot.values = new Float64Array(0)
      slot.list = list && new Float64Array(list.length)
      slot.starts = starts && new Int32Array(0)
    }
    return { value: (tag, row) => valueAt(kept.get(tag), row) }
  }
}

function valueAt(slot: SlotValues | undefined, row: number): number | Float64Array | undefined {
  if (slot === undefined) return undefined
  const value = slot.values[row]!
  if (value !== value) return undefined
  const { divisor, list } = slot
  if (list === undefined) return value / divisor
  const start = slot.starts![row]!
  const shown = new Float64Array(value)
  for (let i = 0; i < value; i++) shown[i] = list[start + i]! / divisor
  return shown
}

/** Values of single records for the metrics and context of an evaluation. */
export function createRowValues(metrics: readonly Metric[], context: MetricContext, manifest: Pick<RunManifest, 'phases'>): RowValues {
  return new BatchValues(metrics, context, manifest.phases.map((phase) => phase.startNs))
}
