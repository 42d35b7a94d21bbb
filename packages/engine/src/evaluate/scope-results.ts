import type { CurveMetric, Metric, MetricResult, RecordSelection, Scope, SeriesSummary, Statistics, TelemetryResult, TelemetryWindow } from '@aiperf/core'
import { errorAdjusted } from './error-adjusted.js'
import { curveStatistics, type CurvePart } from './curve-statistics.js'
import type { PhaseRecords } from './phase-records.js'
import type { Plan } from './plan.js'
import { gather, summary, type SamplePart } from './sample.js'
import type { Summary } from './statistics.js'
import { withUnfinished } from './survival.js'

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

/** Evaluates every metric of the plan over a scope, in display units. */
export function evaluateScope(plan: Plan, source: ScopeSource, telemetry: readonly TelemetryResult[]): Map<string, MetricResult> {
  return new ScopeEvaluation(plan, source, telemetry).results()
}

class ScopeEvaluation implements Scope {
  readonly windowSeconds: number
  readonly windowStartNs: number
  readonly windowEndNs: number
  readonly skipped: number | undefined
  readonly #plan: Plan
  readonly #source: ScopeSource
  readonly #telemetry: readonly TelemetryResult[]
  /** What was asked for so far: many record metrics are read by nothing in a part of a phase. */
  readonly #summaries = new Map<string, Summary | undefined>()
  readonly #curves = new Map<string, Statistics | undefined>()
  /** Values of aggregates and derived metrics, in their own unit. */
  readonly #scalars = new Map<string, number>()
  #series: readonly SeriesSummary[] | undefined

  constructor(plan: Plan, source: ScopeSource, telemetry: readonly TelemetryResult[]) {
    this.#plan = plan
    this.#source = source
    this.#telemetry = telemetry
    this.windowSeconds = source.window.seconds
    this.windowStartNs = source.window.startNs
    this.windowEndNs = source.window.endNs
    this.skipped = source.skipped
  }

  results(): Map<string, MetricResult> {
    const results = new Map<string, MetricResult>()
    const failed = this.#records('error')
    for (const metric of this.#plan.metrics) {
      if (this.#source.partial && metric.wholePhaseOnly) continue
      const result = this.#evaluate(metric)
      if (result === undefined) continue
      results.set(metric.tag, result)
      if (metric.kind !== 'record') continue
      const slot = this.#plan.slots.get(metric.tag)!
      const base = this.#base(metric)
      if (metric.errorAdjusted && failed > 0) {
        const statistics = errorAdjusted(this.#source.parts, slot, metric.records ?? 'success', failed)
        results.set(`adj_${metric.tag}`, {
          ...base,
          tag: `adj_${metric.tag}`,
          header: `${metric.header} (error-adjusted)`,
          group: 'default',
          ...this.#display(metric, statistics),
        })
      }
      const ages = metric.censoredBy === undefined ? undefined : this.#plan.slots.get(metric.censoredBy)
      const estimated = ages === undefined ? undefined : withUnfinished(this.#source.parts, slot, ages)
      if (estimated)
        results.set(`${metric.tag}_with_unfinished`, {
          ...base,
          tag: `${metric.tag}_with_unfinished`,
          header: `${metric.header} (with unfinished)`,
          group: 'none',
          ...this.#display(metric, estimated),
        })
    }
    return results
  }

  #base(metric: Metric): Omit<MetricResult, keyof Statistics> {
    return {
      tag: metric.tag,
      header: metric.header,
      unit: metric.displayUnit ?? metric.unit,
      group: metric.group ?? 'default',
      kind: metric.kind,
      ...(metric.order === undefined ? {} : { order: metric.order }),
      ...(metric.internal ? { internal: true } : {}),
    }
  }

  #display(metric: Metric, statistics: Statistics): Statistics {
    const divisor = this.#plan.divisors.get(metric.tag)!
    const out: Statistics = {}
    for (const key of Object.keys(statistics) as (keyof Statistics)[]) {
      const value = statistics[key]
      if (value !== undefined && Number.isFinite(value)) out[key] = key === 'count' ? value : value / divisor
    }
    return out
  }

  #evaluate(metric: Metric): MetricResult | undefined {
    if (metric.kind === 'record') return this.#record(metric.tag, metric, metric.records ?? 'success')
    if (metric.kind === 'curve') return this.#curve(metric)
    if (metric.requires?.some((tag) => !this.#has(tag))) return undefined
    const value = metric.kind === 'aggregate' ? this.#aggregate(metric.tag, metric.fold, metric.records ?? 'success') : metric.compute(this, this.#plan.context)
    if (value === undefined || !Number.isFinite(value)) return undefined
    this.#scalars.set(metric.tag, value)
    return { ...this.#base(metric), avg: value / this.#plan.divisors.get(metric.tag)! }
  }

  #record(tag: string, metric: Metric, selection: RecordSelection): MetricResult | undefined {
    const found = summary(this.#source.parts, this.#plan.slots.get(tag)!, selection)
    if (found === undefined) return undefined
    this.#summaries.set(tag, found)
    const divisor = this.#plan.divisors.get(tag)!
    const intervals: NonNullable<MetricResult['intervals']> = {}
    for (const [key, [low, high]] of Object.entries(found.intervals) as [keyof Statistics, readonly [number, number]][]) intervals[key] = [low / divisor, high / divisor]
    return {
      ...this.#base(metric),
      ...this.#display(metric, found.statistics),
      ...(Object.keys(intervals).length > 0 ? { intervals } : {}),
      ...(Object.keys(found.withheld).length > 0 ? { withheld: found.withheld } : {}),
      precision: found.precision,
    }
  }

  #aggregate(tag: string, fold: 'sum' | 'min' | 'max', selection: RecordSelection): number | undefined {
    const slot = this.#plan.slots.get(tag)!
    let total: number | undefined
    const put = (value: number | undefined): void => {
      if (value === undefined) return
      total = total === undefined ? value : fold === 'sum' ? total + value : fold === 'min' ? Math.min(total, value) : Math.max(total, value)
    }
    for (const part of this.#source.parts) {
      if (part.keep === undefined) put(part.sample.fold(slot))
      else {
        const { values, count } = gather([part], slot, selection)
        for (let i = 0; i < count; i++) put(values[i]!)
      }
    }
    return total ?? (fold === 'sum' && this.#source.known?.has(tag) ? 0 : undefined)
  }

  #curve(metric: CurveMetric): MetricResult | undefined {
    const { baseOf } = this.#plan
    const base = (tag: string | undefined): number | undefined => (tag === undefined ? undefined : baseOf.get(tag))
    const plus = base(metric.plus)
    const by = base(metric.dividedBy)
    const during = base(metric.whilePositive)
    const parts = this.#source.curves.map(({ records, startNs, endNs }): CurvePart => ({
      steps: records.steps(baseOf.get(metric.tag)!),
      plus: plus === undefined ? undefined : records.steps(plus),
      by: by === undefined ? undefined : records.steps(by),
      during: during === undefined ? undefined : records.steps(during),
      startNs,
      endNs,
    }))
    // A curve nothing was added to says nothing: it is absent, not 0.
    if (parts.every(({ steps, plus: other }) => steps.length === 0 && !(other && other.length > 0)) && !this.#source.known?.has(metric.tag)) return undefined
    const statistics = curveStatistics(parts)
    if (statistics === undefined) return undefined
    this.#curves.set(metric.tag, statistics)
    const resolution = Math.max(0, ...parts.flatMap((part) => [part.steps, part.plus, part.by, part.during].map((s) => s?.resolutionNs ?? 0)))
    return { ...this.#base(metric), ...this.#display(metric, statistics), ...(resolution > 0 ? { resolutionNs: resolution } : { precision: 'exact' }) }
  }

  #records(selection: RecordSelection): number {
    return this.#source.parts.reduce((sum, { sample, keep }) => sum + (keep === undefined ? sample.records(selection) : keep[selection].reduce((a, b) => a + b, 0)), 0)
  }

  #has(tag: string): boolean {
    return this.#summaries.has(tag) || this.#scalars.has(tag) || this.#curves.has(tag) || (this.#zeroSum(tag) !== undefined)
  }

  /** In a slice in which nothing happened, what was counted elsewhere in the phase was counted 0 times. */
  #zeroSum(tag: string): number | undefined {
    return this.#source.known?.has(tag) && this.#plan.byTag.get(tag)?.kind === 'record' ? 0 : undefined
  }

  value(tag: string): number | undefined {
    const slot = this.#plan.slots.get(tag)
    const arrived = slot === undefined ? undefined : this.#source.arrivedSums?.get(slot)
    return arrived ?? this.#scalars.get(tag) ?? this.#summaries.get(tag)?.statistics.sum ?? this.#curves.get(tag)?.avg ?? this.#zeroSum(tag)
  }

  statistic(tag: string, stat: keyof Statistics): number | undefined {
    const statistics = this.#summaries.get(tag)?.statistics ?? this.#curves.get(tag)
    return statistics ? statistics[stat] : stat === 'avg' ? this.#scalars.get(tag) : undefined
  }

  telemetry(name: string): readonly SeriesSummary[] {
    this.#series ??= this.#telemetry.flatMap((source) => source.summarise(this.#source.telemetryWindows))
    return this.#series.filter(({ series }) => series.name === name)
  }
}
