import type { RunResult, TelemetryResult, TelemetryValue, TelemetryWindow } from '@aiperf/core'
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer'
import { hostname } from 'node:os'
import { boundText, windowsOf } from './run.js'

type Cell = string | number | bigint | null
type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']

const ROWS_PER_GROUP = 50_000
const SCHEMA_VERSION = '1.0'
const FIXED = ['endpoint_url', 'metric_name', 'metric_type', 'unit', 'description', 'timestamp_ns'] as const
const NUMBERS = ['value', 'sum', 'count', 'bucket_le', 'bucket_count'] as const
const TYPES: Readonly<Record<string, 'INT64' | 'DOUBLE'>> = { timestamp_ns: 'INT64', value: 'DOUBLE', sum: 'DOUBLE', count: 'DOUBLE', bucket_count: 'DOUBLE' }

/**
 * `server_metrics_export.parquet`: a row per scrape and series within the profiling phases, a histogram a row per bucket.
 * Counters and histograms count from the beginning of their phase.
 */
export async function* parquet(run: RunResult, result: TelemetryResult): AsyncGenerator<Uint8Array> {
  const library = await import('hyparquet-writer')
  const windows = windowsOf(run, 'profiling')
  const labels = [...new Set(result.series.flatMap(({ series }) => Object.keys(series.labels)))].sort()
  // A label may have the name of a column of ours.
  const columns = [...FIXED, ...labels.map((label) => (isTaken(label) ? `label_${label}` : label)), ...NUMBERS]
  const bytes = new library.ByteWriter()
  const schema: Schema = [
    { name: 'root', num_children: columns.length },
    ...columns.map((name): Schema[number] => {
      const type = TYPES[name]
      return type ? { name, type, repetition_type: 'OPTIONAL' } : { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }
    }),
  ]
  const writer = new library.ParquetWriter({ writer: bytes, schema, kvMetadata: metadata(run, result, windows, labels), createdBy: `aiperf ${run.manifest.aiperfVersion}` })
  let data: Cell[][] = columns.map(() => [])
  const taken = (): Uint8Array => {
    const part = new Uint8Array(bytes.buffer, 0, bytes.index).slice()
    bytes.index = 0
    return part
  }
  const flush = async (): Promise<Uint8Array> => {
    const sources = columns.map((name, c) => ({ name, data: data[c]! }) as ColumnSource)
    data = columns.map(() => [])
    await writer.write({ columnData: sources, rowGroupSize: ROWS_PER_GROUP })
    return taken()
  }
  for (const row of rows(run, result, windows, labels)) {
    row.forEach((cell, c) => data[c]!.push(cell))
    if (data[0]!.length === ROWS_PER_GROUP) yield await flush()
  }
  if (data[0]!.length > 0) yield await flush()
  await writer.finish()
  yield taken()
}

const isTaken = (label: string): boolean => ([...FIXED, ...NUMBERS] as readonly string[]).includes(label)

function* rows(run: RunResult, result: TelemetryResult, windows: readonly TelemetryWindow[], labels: readonly string[]): Generator<Cell[]> {
  const base = new Baseline(windows)
  for (const { target, ns, border, values } of result.samples()) {
    const window = windows.find(({ startNs, endNs, phase }) => (border ? border.phase === phase : ns >= startNs && ns <= endNs))
    for (const value of values) {
      const grown = base.since(value, ns, window, border?.at === 'start')
      if (!window || !grown) continue
      const { name, type, unit, description, labels: own, bounds } = value.series
      const head: Cell[] = [result.targets[target]!.name, name, type === 'info' ? 'gauge' : type, unit, description, run.unixNs(ns), ...labels.map((label) => own[label] ?? null)]
      if ('value' in grown) yield [...head, grown.value, null, null, null, null]
      else for (const [i, bound] of (bounds ?? []).entries()) yield [...head, null, Number.isFinite(grown.sum) ? grown.sum : null, grown.count, boundText(bound), grown.buckets[i]!]
    }
  }
}

/** States of counters and histograms at the beginning of the window they are in; after a restart they count from 0. */
class Baseline {
  readonly #windows: readonly TelemetryWindow[]
  readonly #states = new Map<TelemetryValue['series'], { at: TelemetryWindow | undefined; base: TelemetryValue; last: TelemetryValue }>()

  constructor(windows: readonly TelemetryWindow[]) {
    this.#windows = windows
  }

  since(value: TelemetryValue, ns: number, window: TelemetryWindow | undefined, isStart: boolean): TelemetryValue | undefined {
    const { type } = value.series
    if (type !== 'counter' && type !== 'histogram') return value
    const known = this.#states.get(value.series)
    const before = known?.last
    const isNewWindow = window !== undefined && known?.at !== window
    let base = known?.base ?? (this.#watched(ns) ? zero(value) : value)
    if (isNewWindow) base = isStart ? value : (before ?? base)
    if (before && amount(value) < amount(before)) base = zero(value)
    this.#states.set(value.series, { at: window ?? known?.at, base, last: value })
    return difference(value, base)
  }

  /** A series that appears within a window began there. */
  #watched(ns: number): boolean {
    return this.#windows.some(({ startNs, endNs }) => ns > startNs && ns <= endNs)
  }
}

const amount = (value: TelemetryValue): number => ('value' in value ? value.value : value.count)
const zero = (value: TelemetryValue): TelemetryValue => ('value' in value ? { series: value.series, value: 0 } : { series: value.series, buckets: value.buckets.map(() => 0) as number[], sum: 0, count: 0 })
function difference(value: TelemetryValue, base: TelemetryValue): TelemetryValue {
  if ('value' in value || 'value' in base) return { series: value.series, value: amount(value) - amount(base) }
  return { series: value.series, buckets: Array.from(value.buckets, (n, i) => n - base.buckets[i]!), sum: value.sum - base.sum, count: value.count - base.count }
}

function metadata(run: RunResult, result: TelemetryResult, windows: readonly TelemetryWindow[], labels: readonly string[]): { key: string; value: string }[] {
  const { manifest } = run
  const startNs = windows[0]?.startNs ?? 0
  const endNs = windows.at(-1)?.endNs ?? 0
  const types: Record<string, number> = {}
  const names = new Map(result.series.map(({ series }) => [series.name, series.type]))
  for (const type of names.values()) types[type] = (types[type] ?? 0) + 1
  const concurrency = manifest.phases.find(({ kind }) => kind === 'profiling')?.options['concurrency']
  const entries: Record<string, string> = {
    schema_version: SCHEMA_VERSION,
    version: manifest.aiperfVersion,
    benchmark_id: manifest.benchmarkId,
    export_timestamp_utc: manifest.endTime ?? manifest.startTime,
    exporter: 'server_metrics',
    hostname: hostname(),
    node_version: process.version,
    time_filter_start_ns: String(run.unixNs(startNs)),
    time_filter_end_ns: String(run.unixNs(endNs)),
    profiling_duration_ns: String(Math.round(endNs - startNs)),
    profiling_duration_seconds: String((endNs - startNs) / 1e9),
    input_config: JSON.stringify(manifest.explicitOptions),
    model_names: JSON.stringify(manifest.endpoint.models),
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    endpoint_urls: JSON.stringify(result.targets.map(({ name }) => name)),
    endpoint_count: String(result.targets.length),
    label_columns: JSON.stringify(labels),
    label_count: String(labels.length),
    metric_count: String(names.size),
    metric_type_counts: JSON.stringify(types),
    schema_note: 'One row per scrape and series; histograms one row per bucket. Counters and histograms count from the beginning of their phase.',
  }
  return Object.entries(entries).map(([key, value]) => ({ key: `aiperf.${key}`, value }))
}
