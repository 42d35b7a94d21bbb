import type { AggregateMetric, CurveMetric, DerivedMetric, Metric, RecordSelection, Scope, SeriesSummary, Statistics, TelemetryResult, TelemetryWindow } from '@aiperf/core'
import { scopeTelemetry } from '../telemetry/scope.js'
import { curveStatistics, type CurvePart } from './curve-statistics.js'
import type { PhaseRecords } from './phase-records.js'
import { noteFault, type Plan } from './plan.js'
import { gather, sum, summary, type SamplePart } from './sample.js'
import type { Summary } from './statistics.js'

/** What results are made of: a phase, several phases, a slice of one, its steady state. */
export interface ScopeSource {
  readonly parts: readonly SamplePart[]
  /** Curves and the stretch of each that counts. */
  readonly curves: readonly { readonly records: PhaseRecords; readonly startNs: number; readonly endNs: number }[]
  readonly window: { readonly startNs: number; readonly endNs: number; readonly seconds: number }
  /** Stretches for telemetry. */
  readonly telemetryWindows: readonly TelemetryWindow[]
  readonly skipped?: number
  /** Smaller than a phase: metrics that have a meaning for whole phases only are left out. */
  readonly partial: boolean
  /** Slices: metrics that have values in the phase; their sums are 0 where nothing happened. */
  readonly known?: ReadonlySet<string>
  /** Slices: sums of values that count when tokens arrive, by slot. */
  readonly arrivedSums?: ReadonlyMap<number, number>
}

export interface CurveResult {
  statistics: Statistics
  /** 0: exact. */
  resolutionNs: number
}

/** Values of all metrics over a scope, in their own units, each computed when it is first asked for. */
export class ScopeValues implements Scope {
  readonly windowSeconds: number
  readonly windowStartNs: number
  readonly windowEndNs: number
  readonly skipped: number | undefined
  readonly #plan: Plan
  readonly #source: ScopeSource
  readonly #telemetry: readonly TelemetryResult[]
  readonly #summaries = new Map<string, Summary | undefined>()
  readonly #sums = new Map<string, number | undefined>()
  readonly #curves = new Map<string, CurveResult | undefined>()
  readonly #scalars = new Map<string, number | undefined>()
  #telemetryOf: ((name: string) => readonly SeriesSummary[]) | undefined

  constructor(plan: Plan, source: ScopeSource, telemetry: readonly TelemetryResult[]) {
    this.#plan = plan
    this.#source = source
    this.#telemetry = telemetry
    this.windowSeconds = source.window.seconds
    this.windowStartNs = source.window.startNs
    this.windowEndNs = source.window.endNs
    this.skipped = source.skipped
  }

  /** Statistics of a record metric. */
  summary(tag: string, selection: RecordSelection): Summary | undefined {
    return remembered(this.#summaries, tag, () => this.#failed(tag) ? undefined : summary(this.#source.parts, this.#plan.slots.get(tag)!, selection))
  }

  curve(metric: CurveMetric): CurveResult | undefined {
    return remembered(this.#curves, metric.tag, () => this.#computeCurve(metric))
  }

  /** Value of an aggregate or derived metric. */
  scalar(metric: Metric): number | undefined {
    return remembered(this.#scalars, metric.tag, () => {
      if ((metric.kind !== 'aggregate' && metric.kind !== 'derived') || this.#failed(metric.tag)) return undefined
      if (this.#source.partial && metric.wholePhaseOnly) return undefined
      if (metric.requires?.some((tag) => this.value(tag) === undefined)) return undefined
      const value = metric.kind === 'aggregate' ? this.#fold(metric) : this.#derive(metric)
      return value !== undefined && Number.isFinite(value) ? value : undefined
    })
  }

  /** Its formula threw, or that of a metric it needs: what it has was made of a part of the records. */
  #failed(tag: string): boolean {
    const { faults, byTag } = this.#plan
    return faults.size > 0 && (faults.has(tag) || (byTag.get(tag)?.requires?.some((required) => this.#failed(required)) ?? false))
  }

  /** Sums of an aggregate metric whose records contribute lists, place by place; undefined when none did. */
  tally({ tag }: AggregateMetric): readonly number[] | undefined {
    if (this.#failed(tag)) return undefined
    const slot = this.#plan.slots.get(tag)!
    const parts = this.#source.parts.flatMap(({ sample }) => [sample.tally(slot) ?? []])
    const length = Math.max(...parts.map((part) => part.length))
    return length > 0 ? Array.from({ length }, (_, place) => parts.reduce((sum, part) => sum + (part[place] ?? 0), 0)) : undefined
  }

  #derive(metric: DerivedMetric): number | undefined {
    try {
      return metric.compute(this, this.#plan.context)
    } catch (error) {
      noteFault(this.#plan, metric.tag, error)
      return undefined
    }
  }

  #fold({ tag, fold, records = 'success' }: AggregateMetric): number | undefined {
    const slot = this.#plan.slots.get(tag)!
    let total: number | undefined
    const put = (value: number | undefined): void => {
      if (value === undefined) return
      total = total === undefined ? value : fold === 'sum' ? total + value : fold === 'min' ? Math.min(total, value) : Math.max(total, value)
    }
    for (const part of this.#source.parts) {
      if (part.keep === undefined) put(part.sample.fold(slot))
      else if (fold === 'sum') put(sum([part], slot, records))
      else {
        const { values, count } = gather([part], slot, records)
        for (let i = 0; i < count; i++) put(values[i]!)
      }
    }
    return total ?? (fold === 'sum' && this.#source.known?.has(tag) ? 0 : undefined)
  }

  #computeCurve(metric: CurveMetric): CurveResult | undefined {
    const { baseOf } = this.#plan
    if ([metric.tag, metric.plus, metric.dividedBy, metric.whilePositive].some((tag) => tag !== undefined && this.#failed(tag))) return undefined
    const base = (tag: string | undefined): number | undefined => (tag === undefined ? undefined : baseOf.get(tag))
    const during = base(metric.whilePositive)
    const parts = this.#source.curves.map(({ records, startNs, endNs }): CurvePart => ({
      steps: records.steps(baseOf.get(metric.tag)!, base(metric.plus), base(metric.dividedBy)),
      during: during === undefined ? undefined : records.steps(during, undefined, undefined),
      startNs,
      endNs,
    }))
    // A curve nothing was added to says nothing: it is absent, not 0. (In a slice of a phase that has it, it is 0.)
    if (parts.every(({ steps }) => steps.length === 0) && !this.#source.known?.has(metric.tag)) return undefined
    const statistics = curveStatistics(parts)
    return statistics && { statistics, resolutionNs: Math.max(0, ...parts.flatMap((part) => [part.steps.resolutionNs ?? 0, part.during?.resolutionNs ?? 0])) }
  }

  value(tag: string): number | undefined {
    const metric = this.#plan.byTag.get(tag)
    if (metric === undefined) return undefined
    if (this.#failed(tag)) return undefined
    if (metric.kind === 'curve') return this.curve(metric)?.statistics.avg
    if (metric.kind !== 'record') return this.scalar(metric)
    const slot = this.#plan.slots.get(tag)!
    const found = this.#source.arrivedSums?.get(slot) ?? remembered(this.#sums, tag, () => this.#summaries.get(tag)?.statistics.sum ?? sum(this.#source.parts, slot, metric.records ?? 'success'))
    return found ?? (this.#source.known?.has(tag) ? 0 : undefined)
  }

  statistic(tag: string, stat: keyof Statistics): number | undefined {
    const metric = this.#plan.byTag.get(tag)
    if (metric === undefined) return undefined
    if (metric.kind === 'record') return this.summary(tag, metric.records ?? 'success')?.statistics[stat]
    if (metric.kind === 'curve') return this.curve(metric)?.statistics[stat]
    return stat === 'avg' ? this.scalar(metric) : undefined
  }

  telemetry(name: string): readonly SeriesSummary[] {
    this.#telemetryOf ??= scopeTelemetry(this.#telemetry, this.#source.telemetryWindows)
    return this.#telemetryOf(name)
  }
}

function remembered<T>(map: Map<string, T | undefined>, tag: string, compute: () => T | undefined): T | undefined {
  if (map.has(tag)) return map.get(tag)
  const value = compute()
  map.set(tag, value)
  return value
}
