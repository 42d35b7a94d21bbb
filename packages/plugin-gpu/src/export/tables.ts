import type { ConsoleTable, ExportAdditions, TelemetryResult } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'
import { attribute, endpointName, type SeenGpu } from './gpus.js'

const COLUMNS = ['Metric', 'avg', 'min', 'max', 'p99', 'p90', 'p50', 'std']
const STATISTICS = ['avg', 'min', 'max', 'sum', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std'] as const

const label = (series: SeenGpu['series'][number]['series'], unit = series.unit): string => `${series.header ?? series.name}${unit === '' || unit === 'count' ? '' : ` (${unit})`}`

/** A table per GPU; the first says which sources were reached. */
export function gpuTables(gpus: readonly SeenGpu[], sources: readonly TelemetryResult[]): ConsoleTable[] {
  const targets = sources.flatMap((source) => source.targets).filter((target) => target.reached || target.asked)
  const reached = targets.filter((target) => target.reached)
  const reach = [
    `${reached.length}/${targets.length} GPU telemetry sources reachable`,
    ...targets.map((target) => `  ${target.reached ? '✔' : '✘'} ${endpointName(target)}${target.reached ? '' : ` (${target.lastError ?? 'no answer'})`}`),
  ]
  return gpus.map(({ endpoint, subject, series }, i) => ({
    title: `${endpoint} | GPU ${subject.id} | ${subject.name}`,
    columns: COLUMNS,
    rows: series.flatMap(({ series: { ...what }, gauge, counter }) => {
      if (gauge) return [[label(what, unitText(what.unit)), gauge.avg, gauge.min, gauge.max, gauge.p99, gauge.p90, gauge.p50, gauge.std]]
      return counter ? [[`${label(what, unitText(what.unit))}, total`, counter.total]] : []
    }),
    ...(i === 0 ? { before: reach } : {}),
  }))
}

/** The GPU block of the summary CSV; its head stands there without GPUs too. */
export function gpuCsv(gpus: readonly SeenGpu[]): NonNullable<ExportAdditions['csv']>[number] {
  const optional = [['Hostname', 'hostname'], ['Namespace', 'namespace'], ['Pod Name', 'pod']] as const
  const extra = optional.filter(([, name]) => gpus.some(({ subject }) => attribute(subject, name) !== undefined))
  const head = ['Endpoint', 'GPU_Index', 'GPU_Name', 'GPU_UUID', 'Platform', 'Metric', ...STATISTICS, ...extra.map(([column]) => column)]
  const rows = gpus.flatMap(({ endpoint, subject, series }) =>
    series.flatMap(({ series: what, gauge, counter }) => {
      if (!gauge && !counter) return []
      const values = STATISTICS.map((name) => (gauge ? (name === 'sum' ? undefined : gauge[name]) : name === 'avg' ? counter!.total : undefined))
      return [[endpoint, subject.id, subject.name, attribute(subject, 'uuid') ?? '', attribute(subject, 'platform') ?? 'unknown', label(what), ...values, ...extra.map(([, name]) => attribute(subject, name))]]
    }),
  )
  return [head, ...rows]
}
