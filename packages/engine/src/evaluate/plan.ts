import type { AggregateMetric, CurveMetric, Metric, MetricContext, RecordMetric, RecordSelection } from '@aiperf/core'
import { metricContext, networkRtt } from './context.js'
import { admit, closedGates } from './gates.js'
import type { EvaluateInput } from './input.js'
import { orderMetrics } from './order.js'
import { displayDivisor } from './units.js'

/** A curve that several metrics read: themselves, divided by another, or over part of the time. */
interface CurveBase {
  readonly metric: CurveMetric
  readonly records: RecordSelection
}

/** Which metrics a run has, in which order, and where their values are found. */
export interface Plan {
  /** In order of evaluation. */
  readonly metrics: readonly Metric[]
  readonly byTag: ReadonlyMap<string, Metric>
  /** Why installed metrics do not exist in this run. */
  readonly refused: ReadonlyMap<string, string>
  readonly context: MetricContext
  /** Place of a record or aggregate metric among the slots of `BatchValues`. */
  readonly slots: ReadonlyMap<string, number>
  readonly curveBases: readonly CurveBase[]
  /** Base of each curve metric. */
  readonly baseOf: ReadonlyMap<string, number>
  readonly divisors: ReadonlyMap<string, number>
  /** Metrics whose formula threw, with what it said; grows during the evaluation. Such a metric is absent altogether. */
  readonly faults: Map<string, string>
}

export function planEvaluation(input: EvaluateInput): Plan {
  const ordered = orderMetrics(input.metrics)
  const { admitted, refused } = admit(ordered, closedGates(input, networkRtt(input)))
  const curveBases: CurveBase[] = []
  const baseOf = new Map<string, number>()
  for (const metric of admitted) {
    if (metric.kind !== 'curve') continue
    const records = metric.records ?? 'all'
    let base = curveBases.findIndex((known) => known.metric.compute === metric.compute && known.records === records)
    if (base < 0) base = curveBases.push({ metric, records }) - 1
    baseOf.set(metric.tag, base)
  }
  const rowMetrics = admitted.filter((metric): metric is RecordMetric | AggregateMetric => metric.kind === 'record' || metric.kind === 'aggregate')
  return {
    metrics: admitted,
    byTag: new Map(admitted.map((metric) => [metric.tag, metric])),
    refused,
    context: metricContext(input, admitted),
    slots: new Map(rowMetrics.map((metric, i) => [metric.tag, i])),
    curveBases,
    baseOf,
    faults: new Map(),
    divisors: new Map(admitted.map((metric) => [metric.tag, displayDivisor(metric) ?? 1])),
  }
}

/** Keeps what a formula threw. */
export function noteFault(plan: Plan, tag: string, error: unknown): void {
  if (!plan.faults.has(tag)) plan.faults.set(tag, error instanceof Error ? error.message : String(error))
}
