import type { Adds, ConsoleTable, Exporter, ExportAdditions, JsonObject, RunResult, SeriesSummary, TelemetryResult } from '@aiperf/core'
import { phaseWindows } from './scope.js'

const COLUMNS = ['Metric', 'avg', 'min', 'max', 'p99', 'p90', 'p50', 'std']

/**
 * What goes into the summary files and the console besides the metrics: a general view of telemetry sources that no
 * exporter claims, then what each exporter adds, in the order given. `run.additions` may be empty while this runs.
 */
export async function collectAdditions(run: RunResult, exporters: readonly (Exporter & Partial<Adds>)[]): Promise<ExportAdditions> {
  const parts: ExportAdditions[] = [generalView(run)]
  for (const exporter of exporters) if (exporter.adds) parts.push(await exporter.adds(run))
  const phases: Record<number, JsonObject> = {}
  for (const part of parts) for (const [index, keys] of Object.entries(part.phases ?? {})) phases[Number(index)] = { ...phases[Number(index)], ...keys }
  return {
    json: Object.assign({}, ...parts.map((part) => part.json ?? {})) as JsonObject,
    tables: parts.flatMap((part) => part.tables ?? []),
    csv: parts.flatMap((part) => part.csv ?? []),
    phases,
  }
}

function generalView(run: RunResult): ExportAdditions {
  const windows = phaseWindows(run.manifest.phases)
  const views = run.telemetry
    .filter((result) => !result.ownExporter && result.targets.some((target) => target.reached))
    .map((result) => ({ result, summaries: result.summarise(windows).filter(({ series }) => series.subject?.kind !== 'gpu') }))
    .filter(({ summaries }) => summaries.length > 0)
  if (views.length === 0) return {}
  return {
    json: { telemetry: Object.fromEntries(views.map(({ result, summaries }) => [result.source, sourceJson(result, summaries)])) },
    tables: views.flatMap(({ result, summaries }) => sourceTables(result, summaries)),
  }
}

function sourceJson(result: TelemetryResult, summaries: readonly SeriesSummary[]): JsonObject {
  return {
    targets: result.targets.map(({ name, reached, samples, failures, lastError, gaps }) => ({ name, reached, samples, failures, gaps: gaps.length, ...(lastError === undefined ? {} : { last_error: lastError }) })),
    series: summaries.map(({ series, target, gauge, counter, histogram }) => ({
      target: result.targets[target]!.name,
      name: series.name,
      type: series.type,
      unit: series.unit,
      description: series.description,
      ...(Object.keys(series.labels).length > 0 ? { labels: { ...series.labels } } : {}),
      ...(series.subject ? { subject: { kind: series.subject.kind, id: series.subject.id, name: series.subject.name, ...series.subject.attributes } } : {}),
      ...finite({ ...gauge, ...counter }),
      ...(histogram ? histogramJson(histogram, series.bounds ?? []) : {}),
    })),
  }
}

function histogramJson({ quantiles, buckets, ...rest }: NonNullable<SeriesSummary['histogram']>, bounds: readonly number[]): JsonObject {
  return {
    ...finite(rest),
    buckets: Object.fromEntries(bounds.map((bound, i) => [bound === Infinity ? '+Inf' : String(bound), buckets[i]!])),
    quantiles: Object.fromEntries(Object.entries(quantiles).map(([name, { estimate, low, high }]) => [name, finite({ estimate, low, high })])),
  }
}

const finite = (values: object): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, v]) => typeof v === 'boolean' || Number.isFinite(v)) as [string, number][])

/** One table per thing that is measured; what belongs to none shares the table of its target. */
function sourceTables(result: TelemetryResult, summaries: readonly SeriesSummary[]): ConsoleTable[] {
  const tables = new Map<string, ConsoleTable>()
  for (const summary of summaries) {
    const row = tableRow(summary)
    if (!row) continue
    const { subject } = summary.series
    const target = result.targets[summary.target]!.name
    const title = [result.title, target, ...(subject ? [`${subject.kind} ${subject.id}${subject.name === '' ? '' : ` (${subject.name})`}`] : [])].join(' | ')
    let table = tables.get(title)
    if (!table) tables.set(title, (table = { title, columns: COLUMNS, rows: [] }))
    table.rows.push(row)
  }
  return [...tables.values()]
}

function tableRow({ series, gauge, counter, histogram }: SeriesSummary): ConsoleTable['rows'][number] | undefined {
  const labels = Object.entries(series.labels).map(([name, value]) => `${name}="${value}"`)
  const label = `${series.header ?? series.name}${labels.length > 0 ? ` {${labels.join(', ')}}` : ''}${series.unit === '' ? '' : ` (${series.unit})`}`
  if (gauge) return [label, gauge.avg, gauge.min, gauge.max, gauge.p99, gauge.p90, gauge.p50, gauge.std]
  if (counter) return [label, counter.total]
  if (histogram) return [label, histogram.avg, undefined, undefined, ...['p99', 'p90', 'p50'].map((p) => histogram.quantiles[p]?.estimate)]
  return undefined
}
