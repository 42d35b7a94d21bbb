import type { AggregateMetric, Metric, MetricResult, RecordMetric, RecordSelection, Statistics, TelemetryResult } from '@aiperf/core'
import { errorAdjusted } from './error-adjusted.js'
import type { Plan } from './plan.js'
import { ScopeValues, type ScopeSource } from './scope-values.js'
import { withUnfinished } from './survival.js'

/** Groups of metrics that a steady state is described by; others are read of the whole phase. */
const BRIEF_GROUPS: ReadonlySet<Metric['group']> = new Set([undefined, 'default', 'effective', 'power'])

/** Whether a steady state is described by this metric. */
export function isBrief(metric: Metric): boolean {
  return !metric.internal && BRIEF_GROUPS.has(metric.group)
}

/** Every metric of the plan over a scope, in display units. `brief`: only what a steady state is described by. */
export function evaluateScope(plan: Plan, source: ScopeSource, telemetry: readonly TelemetryResult[], brief = false): Map<string, MetricResult> {
  const values = new ScopeValues(plan, source, telemetry)
  const results = new Map<string, MetricResult>()
  const failed = countRecords(source, 'error')
  for (const metric of plan.metrics) {
    if (source.partial && (metric.wholePhaseOnly || isTally(metric))) continue
    if (brief && !isBrief(metric)) continue
    const result = evaluateMetric(plan, metric, values)
    if (result === undefined) continue
    results.set(metric.tag, result)
    if (metric.kind === 'record') for (const extra of extraRows(plan, metric, source, failed)) results.set(extra.tag, extra)
  }
  return results
}

function countRecords(source: ScopeSource, selection: RecordSelection): number {
  return source.parts.reduce((sum, { sample, keep }) => sum + (keep === undefined ? sample.records(selection) : keep[selection].reduce((a, b) => a + b, 0)), 0)
}

function evaluateMetric(plan: Plan, metric: Metric, values: ScopeValues): MetricResult | undefined {
  if (metric.kind === 'record') return recordResult(plan, metric, values)
  if (metric.kind === 'curve') {
    const curve = values.curve(metric)
    if (curve === undefined) return undefined
    const { statistics, resolutionNs } = curve
    return { ...appearance(metric), ...display(plan, metric, statistics), ...(resolutionNs > 0 ? { resolutionNs } : { precision: 'exact' }) }
  }
  if (isTally(metric)) {
    const tally = values.tally(metric)
    return tally && { ...appearance(metric), tally }
  }
  const value = values.scalar(metric)
  return value === undefined ? undefined : { ...appearance(metric), avg: value / plan.divisors.get(metric.tag)! }
}

function isTally(metric: Metric): metric is AggregateMetric & { fold: 'tally' } {
  return metric.kind === 'aggregate' && metric.fold === 'tally'
}

function recordResult(plan: Plan, metric: RecordMetric, values: ScopeValues): MetricResult | undefined {
  const summary = values.summary(metric.tag, metric.records ?? 'success')
  if (summary === undefined) return undefined
  const divisor = plan.divisors.get(metric.tag)!
  const intervals: NonNullable<MetricResult['intervals']> = {}
  for (const [key, [low, high]] of Object.entries(summary.intervals) as [keyof Statistics, readonly [number, number]][]) intervals[key] = [low / divisor, high / divisor]
  return {
    ...appearance(metric),
    ...display(plan, metric, summary.statistics),
    ...(Object.keys(intervals).length > 0 ? { intervals } : {}),
    ...(Object.keys(summary.withheld).length > 0 ? { withheld: summary.withheld } : {}),
    precision: summary.precision,
  }
}

/** Rows that failed and unfinished requests add to a metric's own. */
function extraRows(plan: Plan, metric: RecordMetric, source: ScopeSource, failed: number): MetricResult[] {
  const slot = plan.slots.get(metric.tag)!
  const rows: MetricResult[] = []
  const { order: _, ...base } = appearance(metric)
  if (metric.errorAdjusted && failed > 0)
    rows.push({
      ...base,
      tag: `adj_${metric.tag}`,
      header: `${metric.header} (error-adjusted)`,
      group: 'default',
      ...display(plan, metric, errorAdjusted(source.parts, slot, metric.records ?? 'success', failed)),
    })
  const ages = metric.censoredBy === undefined ? undefined : plan.slots.get(metric.censoredBy)
  const estimated = ages === undefined ? undefined : withUnfinished(source.parts, slot, ages)
  if (estimated)
    rows.push({
      ...base,
      tag: `${metric.tag}_with_unfinished`,
      header: `${metric.header} (with unfinished)`,
      group: 'none',
      ...display(plan, metric, estimated),
    })
  return rows
}

function appearance(metric: Metric): Omit<MetricResult, keyof Statistics> {
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

/** Statistics in display unit. */
function display(plan: Plan, metric: Metric, statistics: Statistics): Statistics {
  const divisor = plan.divisors.get(metric.tag)!
  const out: Statistics = {}
  for (const key of Object.keys(statistics) as (keyof Statistics)[]) {
    const value = statistics[key]
    if (value !== undefined && Number.isFinite(value)) out[key] = key === 'count' ? value : value / divisor
  }
  return out
}
