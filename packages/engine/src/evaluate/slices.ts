import type { MetricResult, TelemetryResult, TimeSlice } from '@aiperf/core'
import type { PhaseRecords } from './phase-records.js'
import type { Plan } from './plan.js'
import type { BatchValues } from './row-values.js'
import { RowPick } from './row-pick.js'
import { Sample } from './sample.js'
import { evaluateScope } from './scope-results.js'

/** More slices than this would be a table nobody reads and memory without end. */
const MOST = 100_000

interface Slice {
  sample: Sample | undefined
  pick: RowPick | undefined
  arrivedSums: Map<number, number>
}

/**
 * Time slices of a phase, from the start of its window on; the last is cut at the window's end. A request belongs to the
 * slice in which it was dispatched; values that count when tokens arrive are spread over the slices of its chunks. Slices
 * in which nothing happened stay.
 */
export class PhaseSlices {
  readonly #slices: Slice[]
  readonly #touched: Slice[] = []
  readonly #arriving: number[]
  readonly #lengthNs: number
  readonly #window: { startNs: number; endNs: number }
  readonly #values: BatchValues
  readonly #limit: number

  constructor(values: BatchValues, window: { startNs: number; endNs: number }, lengthNs: number, exactValues: number) {
    const count = Math.max(1, Math.ceil((window.endNs - window.startNs) / lengthNs))
    this.#lengthNs = count > MOST ? (window.endNs - window.startNs) / MOST : lengthNs
    this.#slices = Array.from({ length: Math.min(count, MOST) }, () => ({ sample: undefined, pick: undefined, arrivedSums: new Map() }))
    this.#window = window
    this.#values = values
    this.#limit = Math.max(4096, Math.floor(exactValues / this.#slices.length))
    this.#arriving = values.slots.flatMap(({ metric }, s) => (metric.kind === 'record' && metric.countsAtTokens ? [s] : []))
  }

  #at(ns: number): Slice {
    const index = Math.floor((ns - this.#window.startNs) / this.#lengthNs)
    return this.#slices[Math.min(this.#slices.length - 1, Math.max(0, index))]!
  }

  /** Adds rows of the loaded batch. */
  add(pick: RowPick): void {
    const { batch, classes } = this.#values
    const { dispatchedNs } = batch.columns
    for (let i = 0; i < pick.all.count; i++) {
      const row = pick.all.rows[i]!
      const slice = this.#at(dispatchedNs[row]!)
      if (slice.pick === undefined) {
        slice.pick = new RowPick()
        this.#touched.push(slice)
      }
      slice.pick.add(row, classes[row]!)
      for (const slot of this.#arriving) this.#spread(slot, row)
    }
    for (const slice of this.#touched) {
      slice.sample ??= new Sample(this.#values, { exactValues: this.#limit, canCut: false })
      slice.sample.add(slice.pick!)
      slice.pick = undefined
    }
    this.#touched.length = 0
  }

  #spread(slot: number, row: number): void {
    const value = this.#values.slots[slot]!.values[row]!
    if (value !== value) return
    const { tokenNs, columns } = this.#values.batch
    const from = tokenNs.offsets[row]!
    const to = tokenNs.offsets[row + 1]!
    if (to === from) {
      const at = columns.lastTokenNs[row]!
      this.#arrive(slot, this.#at(at === at ? at : columns.endNs[row]!), value)
      return
    }
    const share = value / (to - from)
    for (let i = from; i < to; i++) this.#arrive(slot, this.#at(tokenNs.values[i]!), share)
  }

  #arrive(slot: number, slice: Slice, amount: number): void {
    slice.arrivedSums.set(slot, (slice.arrivedSums.get(slot) ?? 0) + amount)
  }

  results(plan: Plan, records: PhaseRecords, phaseMetrics: ReadonlyMap<string, MetricResult>, telemetry: readonly TelemetryResult[]): TimeSlice[] {
    const known = new Set(phaseMetrics.keys())
    const empty = new Sample(this.#values, { exactValues: 1, canCut: false })
    return this.#slices.map(({ sample, arrivedSums }, k) => {
      const startNs = this.#window.startNs + k * this.#lengthNs
      const fullNs = startNs + this.#lengthNs
      const endNs = Math.min(fullNs, this.#window.endNs)
      for (const slot of this.#arriving) if (!arrivedSums.has(slot) && known.has(this.#values.slots[slot]!.metric.tag)) arrivedSums.set(slot, 0)
      const metrics = evaluateScope(
        plan,
        {
          parts: [{ sample: sample ?? empty }],
          curves: [{ records, startNs, endNs }],
          window: { startNs, endNs, seconds: (endNs - startNs) / 1e9 },
          telemetryWindows: [{ startNs, endNs }],
          partial: true,
          known,
          arrivedSums,
        },
        telemetry,
      )
      return { startNs, endNs, complete: fullNs <= this.#window.endNs, metrics }
    })
  }
}
