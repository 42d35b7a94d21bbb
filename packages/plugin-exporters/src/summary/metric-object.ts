import type { MetricResult, Statistics } from '@aiperf/core'
import type { JsonValue } from '../format/json-text.js'

/** Statistics in the order in which JSON files have them. */
const JSON_STATISTICS = ['avg', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'min', 'max', 'std', 'count', 'sum'] as const satisfies readonly (keyof Statistics)[]

/** Whether a metric is one value, not a distribution. */
export function isScalar(metric: MetricResult): boolean {
  return metric.kind === 'aggregate' || metric.kind === 'derived'
}

/** `{unit, avg, p1, …}`: what it has, in the display unit; one value has only `avg`. */
export function metricObject(metric: MetricResult): { [key: string]: JsonValue } {
  const object: { [key: string]: JsonValue } = { unit: metric.unit }
  if (isScalar(metric)) object['avg'] = metric.avg
  else for (const name of JSON_STATISTICS) if (metric[name] !== undefined) object[name] = metric[name]
  return object
}

/** Metrics that files show, by tag, those of `first` in front. */
export function shown(metrics: ReadonlyMap<string, MetricResult>, internal: boolean, first: readonly string[] = []): MetricResult[] {
  const rest = new Map([...metrics].filter(([, metric]) => internal || !metric.internal))
  const ordered: MetricResult[] = []
  for (const tag of first) {
    const metric = rest.get(tag)
    if (metric === undefined) continue
    ordered.push(metric)
    rest.delete(tag)
  }
  return [...ordered, ...rest.values()]
}

export function metricMap(metrics: readonly MetricResult[]): { [tag: string]: JsonValue } {
  return Object.fromEntries(metrics.map((metric) => [metric.tag, metricObject(metric)]))
}
