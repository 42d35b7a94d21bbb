import type { MetricResult, RunResult, Statistics } from '@aiperf/core'
import { CSV_END, csvLine } from '../format/csv-line.js'
import { csvNumber } from '../format/numbers.js'
import { isScalar, shown } from './metric-object.js'

/** Statistics in the order in which CSV files have them. */
export const CSV_STATISTICS = ['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'] as const satisfies readonly (keyof Statistics)[]

/** `Header (unit)`; what is a plain number has no unit. */
export function metricName(metric: MetricResult): string {
  return metric.unit === 'count' || metric.unit === 'requests' || metric.unit === '' ? metric.header : `${metric.header} (${metric.unit})`
}

/** By tag, character by character: the same on every machine. */
export function byTag(a: MetricResult, b: MetricResult): number {
  return a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : 0
}

/**
 * The summary as CSV: a block of distributions, a blank line, a block of single values; blocks of other exporters after
 * two blank lines each.
 */
export function summaryCsv(run: RunResult, metrics: ReadonlyMap<string, MetricResult>, blocks: RunResult['additions']['csv'] = []): string {
  const sorted = shown(metrics, run.output.internalMetrics).sort(byTag)
  const lines = [csvLine(['Metric', ...CSV_STATISTICS])]
  for (const metric of sorted) if (!isScalar(metric)) lines.push(csvLine([metricName(metric), ...CSV_STATISTICS.map((name) => csvNumber(metric[name]))]))
  lines.push('', csvLine(['Metric', 'Value']))
  for (const metric of sorted) if (isScalar(metric)) lines.push(csvLine([metricName(metric), csvNumber(metric.avg)]))
  for (const block of blocks) {
    lines.push('', '')
    for (const row of block) lines.push(csvLine(row.map((cell) => (typeof cell !== 'number' ? (cell ?? '') : Number.isSafeInteger(cell) ? String(cell) : csvNumber(cell)))))
  }
  return lines.map((line) => line + CSV_END).join('')
}
