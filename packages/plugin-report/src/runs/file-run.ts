import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { AiperfError, isJsonObject, STATISTICS, type JsonObject, type MetricResult, type RequestTable, type TelemetryLine } from '@aiperf/core'
import { list, loadFacts, number, object, sweepFacts, text } from './facts.js'
import { slicesOf } from './file-slices.js'
import { readTelemetry } from './file-telemetry.js'
import { readRequests } from './file-requests.js'
import type { RunAbout, UnlabelledRun } from './loaded.js'
import { addPerGpu, type MetricNames } from './metric-names.js'

/** Names of the files of one run: the usual ones, or those of `--profile-export-prefix`. */
export interface RunFiles {
  directory: string
  /** Absent where every request failed. */
  summary?: string
  requests?: string
  slices?: string
  gpu?: string
  server?: string
}

/** A run from its exported files alone: those of other programs of the same formats, and of ours where the journal is gone. */
export function fileRun(files: RunFiles, names: MetricNames): UnlabelledRun {
  const { directory } = files
  const summary = files.summary === undefined ? {} : readJson(join(directory, files.summary))
  const config = object(summary['input_config'])
  const info = object(summary['run_info'])
  const models = list(object(config['models'])['items']).flatMap((m) => text(m['name']) ?? [])
  const endpoint = object(config['endpoint'])
  const gpus = gpuCount(summary)
  const metrics = metricsOf(summary, names)
  addPerGpu(metrics, gpus)
  const name = basename(resolve(directory))
  const variation = runConfig(directory)
  let origin: Promise<number | undefined> | undefined
  let telemetry: Promise<TelemetryLine[]> | undefined
  const requests = files.requests === undefined ? undefined : requestReader(join(directory, files.requests))
  const originNs = (): Promise<number | undefined> => (origin ??= requests ? requests([]).then((r) => r.originNs) : Promise.resolve(undefined))
  const sweepId = text(info['sweep_id']) ?? text(variation['sweep_id'])
  const values = object(object(variation['variation'])['values'])
  return {
    name,
    directory,
    facts: {
      run_name: name,
      model: models.join(', '),
      endpoint_type: text(endpoint['type']) ?? '',
      streaming: endpoint['streaming'] === true,
      ...loadFacts(config['phases']),
      ...sweepFacts(values),
      ...sweepFacts(object(info['variation_values'])),
    },
    point: sweepId === undefined ? directory : `${sweepId} ${JSON.stringify(values)}`,
    ...(sweepId === undefined ? {} : { sweepId }),
    metrics,
    largerIsBetter: (tag) => names(tag).largerIsBetter,
    gpus,
    slices: files.slices === undefined ? [] : slicesOf(readJson(join(directory, files.slices)), (m) => metricsOf(m, names)),
    telemetry: () => (telemetry ??= readTelemetry(files, originNs)),
    requests: requests ? async (tags) => (await requests(tags)).table : () => Promise.resolve(undefined),
    about: aboutOf(summary, models, endpoint),
  }
}

function requestReader(path: string): (tags: readonly string[]) => Promise<{ table: RequestTable; originNs: number | undefined }> {
  const known = new Set<string>()
  let last: ReturnType<typeof readRequests> | undefined
  return (tags) => {
    const missing = tags.filter((tag) => !known.has(tag))
    if (!last || missing.length > 0) {
      for (const tag of missing) known.add(tag)
      last = readRequests(path, [...known])
    }
    return last
  }
}

/** Every metric of a summary: entries that hold a unit and at least one statistic. */
export function metricsOf(summary: JsonObject, names: MetricNames): Map<string, MetricResult> {
  const metrics = new Map<string, MetricResult>()
  for (const [tag, value] of Object.entries(summary)) {
    const entry = object(value)
    const unit = entry['unit']
    if (typeof unit !== 'string') continue
    const statistics = Object.fromEntries(STATISTICS.flatMap((stat) => (number(entry[stat]) === undefined ? [] : [[stat, entry[stat]]])))
    if (Object.keys(statistics).length === 0) continue
    metrics.set(tag, { tag, header: names(tag).header, unit, group: 'default', kind: entry['p50'] === undefined ? 'derived' : 'record', ...statistics })
  }
  return metrics
}

/** Name and values of the run's point in a sweep, as kept beside it. */
function runConfig(directory: string): JsonObject {
  try {
    return readJson(join(directory, 'run_config.json'))
  } catch {
    return {}
  }
}

function gpuCount(summary: JsonObject): number | undefined {
  const endpoints = Object.values(object(object(summary['telemetry_data'])['endpoints']))
  const count = endpoints.reduce((sum: number, endpoint) => sum + Object.keys(object(object(endpoint)['gpus'])).length, 0)
  return count > 0 ? count : undefined
}

function aboutOf(summary: JsonObject, models: string[], endpoint: JsonObject): RunAbout {
  const own = summary['verdict'] !== undefined
  const details = (row: JsonObject) => object(row['error_details'])
  const duration = number(object(summary['window'])['seconds']) ?? number(object(summary['benchmark_duration'])['avg'])
  return {
    program: `AIPerf ${text(summary['aiperf_version']) ?? ''}`.trim(),
    ...optional('benchmarkId', text(summary['benchmark_id'])),
    ...optional('startTime', text(summary['start_time'])),
    ...optional('endTime', text(summary['end_time'])),
    ...optional('command', text(object(summary['run_info'])['cli_command'])),
    endpoint: { type: text(endpoint['type']) ?? '', title: '', streaming: endpoint['streaming'] === true, urls: Array.isArray(endpoint['urls']) ? endpoint['urls'].map(String) : [], models },
    ...(own ? { verdict: summary['verdict'] as never } : {}),
    complete: summary['is_complete'] !== false,
    ...optional('incompleteReason', text(summary['incomplete_reason'])),
    wasCancelled: summary['was_cancelled'] === true,
    errors: list(summary['error_summary']).map((row) => ({ type: text(details(row)['type']) ?? 'error', ...optional('code', number(details(row)['code'])), message: text(details(row)['message']) ?? '', count: number(row['count']) ?? 1 })),
    absent: Object.entries(object(summary['absent'])).map(([tag, reason]) => ({ tag, reason: String(reason) })),
    ...optional('windowSeconds', duration),
    phases: [],
    notices: [],
    manifest: object(summary['input_config']),
  }
}

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> => (value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>))

export function readJson(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isJsonObject(value)) return value
    throw new Error('it holds no JSON object')
  } catch (cause) {
    throw new AiperfError('E_INPUT_FILE', `${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}
