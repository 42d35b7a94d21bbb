import type { RunResult, SeriesSummary, TelemetryResult } from '@aiperf/core'
import { byName, endpointName, windowsOf } from './run.js'
import { buckets, statistics } from './statistics.js'

const SCHEMA_VERSION = '1.0'
const PERCENTILES = ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'] as const
const GAUGE = ['avg', 'min', 'max', 'std', ...PERCENTILES]
const SECTIONS = [
  { type: 'gauge', columns: GAUGE },
  { type: 'counter', columns: ['total', 'rate', 'rate_avg', 'rate_min', 'rate_max', 'rate_std'] },
  { type: 'histogram', columns: ['count', 'count_rate', 'sum', 'sum_rate', 'avg', ...PERCENTILES.map((p) => `${p}_estimate`)] },
  { type: 'unknown', columns: GAUGE },
] as const

/** `server_metrics_export.csv`: a section per type of metric, a column per label. */
export function csv(run: RunResult, result: TelemetryResult): string {
  const { aiperfVersion, benchmarkId } = run.manifest
  const all = byName(result.summarise(windowsOf(run, 'profiling'))).flatMap(([, group]) => group)
  const head = [
    '# AIPerf Server Metrics Export (CSV)',
    `# aiperf_version: ${aiperfVersion}`,
    `# schema_version: ${SCHEMA_VERSION}`,
    `# benchmark_id: ${benchmarkId}`,
    '# Time-weighted over the profiling phases; names as the server writes them',
    '#',
  ]
  const sections = SECTIONS.flatMap(({ type, columns }) => section(result, type, columns, all.filter(({ series }) => series.type === type)))
  const infos = infoSection(result, all.filter(({ series }) => series.type === 'info'))
  return `${head.join('\n')}\n${[...sections, ...infos].map((lines) => `${lines.join('\n')}\n`).join('\n')}`
}

function section(result: TelemetryResult, type: string, columns: readonly string[], series: readonly SeriesSummary[]): string[][] {
  if (series.length === 0) return []
  const labels = [...new Set(series.flatMap((s) => Object.keys(s.series.labels)))].sort()
  const isHistogram = type === 'histogram'
  const head = ['Endpoint', 'Type', 'Metric', 'Unit', ...columns, ...labels, 'Description', ...(isHistogram ? ['buckets'] : [])]
  const rows = series.map((summary) => {
    const { name, unit, description, labels: own } = summary.series
    const stats = statistics(summary)
    const cells = [endpoint(result, summary), type, name, unit, ...columns.map((column) => number(stats[column], column === 'count')), ...labels.map((label) => own[label] ?? ''), description]
    if (isHistogram) cells.push(Object.entries(buckets(summary) ?? {}).map(([bound, count]) => `${bound}=${String(count)}`).join(';'))
    return line(cells)
  })
  return [[line(head), ...rows]]
}

function infoSection(result: TelemetryResult, series: readonly SeriesSummary[]): string[][] {
  if (series.length === 0) return []
  const rows = series.flatMap((summary) => Object.entries(summary.series.labels).map(([key, value]) => line([endpoint(result, summary), summary.series.name, key, value, summary.series.description])))
  return [[line(['Endpoint', 'Metric', 'Key', 'Value', 'Description']), ...rows]]
}

const endpoint = (result: TelemetryResult, { target }: SeriesSummary): string => endpointName(result.targets[target]!.name)

/** Four decimals, and more where they would leave fewer than four digits. */
function number(value: unknown, whole: boolean): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  if (whole) return String(value)
  const size = Math.abs(value)
  if (size >= 1e21 || (size > 0 && size < 1e-9)) return value.toExponential(4)
  return value.toFixed(size === 0 ? 4 : Math.max(4, 3 - Math.floor(Math.log10(size)))).replace(/(\.\d{4}\d*?)0+$/, '$1')
}

const line = (cells: readonly string[]): string => cells.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
