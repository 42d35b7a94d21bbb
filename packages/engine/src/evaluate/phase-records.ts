import type { CurveMetric, RequestError } from '@aiperf/core'
import { Curve } from './curve.js'
import type { EvaluateLimits } from './input.js'
import { noteFault, type Plan } from './plan.js'
import { ROW_CLASS } from '../journal/row-class.js'
import type { BatchValues } from './row-values.js'
import { createView } from '../journal/view.js'
import type { RowPick } from './row-pick.js'
import { Sample } from './sample.js'
import { addSteps, divideSteps, type Steps } from './steps.js'

/** Distinct errors that are told apart; further ones are counted under their type. */
const ERROR_GROUPS = 1000

/** Everything that is kept of the records of one phase. */
export class PhaseRecords {
  readonly sample: Sample
  readonly errors = new ErrorGroups()
  /** First dispatch and last end of requests that completed (succeeded, failed, or cancelled as asked). */
  startNs = Infinity
  endNs = -Infinity
  /** Requests by `ROW_CLASS`. */
  readonly classes: [success: number, error: number, cancelled: number, censored: number] = [0, 0, 0, 0]
  /** Requests under way, for the steady state. */
  readonly #concurrency: Curve
  readonly #plan: Plan
  readonly #curves: readonly Curve[]
  readonly #combined = new Map<string, Steps>()
  readonly #values: BatchValues
  readonly #view = createView()

  constructor(values: BatchValues, plan: Plan, limits: EvaluateLimits, originNs: number) {
    this.#values = values
    this.#plan = plan
    this.sample = new Sample(values, { exactValues: limits.exactValues, canCut: true })
    this.#concurrency = new Curve(limits, originNs)
    this.#curves = plan.curveBases.map(() => new Curve(limits, originNs))
  }

  /** Adds rows of the loaded batch. */
  add(pick: RowPick): void {
    const { batch, classes } = this.#values
    this.sample.add(pick)
    const { dispatchedNs, endNs } = batch.columns
    const { rows, count } = pick.all
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      const rowClass = classes[row]!
      this.classes[rowClass]!++
      const start = dispatchedNs[row]!
      const end = endNs[row]!
      if (end > start) {
        this.#concurrency.add(start, 1)
        this.#concurrency.add(end, -1)
      }
      if (rowClass === ROW_CLASS.error) this.errors.add(batch.error(row))
      if (rowClass === ROW_CLASS.censored) continue
      if (start < this.startNs) this.startNs = start
      if (end > this.endNs) this.endNs = end
    }
    this.#addCurves(pick)
  }

  #addCurves(pick: RowPick): void {
    this.#view.batch = this.#values.batch
    this.#plan.curveBases.forEach(({ metric, records }, b) => {
      if (this.#plan.faults.has(metric.tag)) return
      const { rows, count } = pick[records]
      try {
        this.#addCurve(metric, this.#curves[b]!, rows, count)
      } catch (error) {
        noteFault(this.#plan, metric.tag, error)
      }
    })
  }

  #addCurve(metric: CurveMetric, curve: Curve, rows: Int32Array, count: number): void {
    const view = this.#view
    const { context } = this.#values
    for (let i = 0; i < count; i++) {
      view.row = rows[i]!
      metric.compute(view, curve, context)
    }
  }

  /** The curve of `plan.curveBases[base]`, with another added and divided by a third. */
  steps(base: number, plus: number | undefined, by: number | undefined): Steps {
    const key = `${base}+${plus ?? ''}/${by ?? ''}`
    let steps = this.#combined.get(key)
    if (steps === undefined) {
      steps = this.#curves[base]!.steps()
      if (plus !== undefined) steps = addSteps(steps, this.#curves[plus]!.steps())
      if (by !== undefined) steps = divideSteps(steps, this.#curves[by]!.steps())
      this.#combined.set(key, steps)
    }
    return steps
  }

  get concurrency(): Steps {
    return this.#concurrency.steps()
  }
}

/** Failed requests, equal errors together. */
export class ErrorGroups {
  readonly #groups = new Map<string, { error: RequestError; count: number }>()

  add(error: RequestError | undefined): void {
    const known = error ?? { type: 'Unknown', message: 'failed without a reason', category: 'unknown' as const }
    this.#count(known, 1)
  }

  #count(error: RequestError, count: number): void {
    let key = `${error.category} ${error.code ?? ''} ${error.type}\n${error.message}`
    let group = this.#groups.get(key)
    if (group === undefined && this.#groups.size >= ERROR_GROUPS) {
      key = `${error.category} ${error.code ?? ''} ${error.type}`
      error = { ...error, message: `further messages (more than ${ERROR_GROUPS} different errors)` }
      group = this.#groups.get(key)
    }
    if (group === undefined) this.#groups.set(key, (group = { error, count: 0 }))
    group.count += count
  }

  merge(other: ErrorGroups): void {
    for (const { error, count } of other.#groups.values()) this.#count(error, count)
  }

  /** Most frequent first. */
  list(): { error: RequestError; count: number }[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count)
  }
}
