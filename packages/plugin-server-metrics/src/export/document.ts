import type { RunResult, SeriesSummary, TelemetryResult, TelemetryTargetReport, TelemetryWindow } from '@aiperf/core'
import type { BigJson } from './big-json.js'
import { byName, windowsOf } from './run.js'
import { buckets, slice, statistics } from './statistics.js'

type Members = { [key: string]: BigJson }

/** Layout of the file, as readers of it know it. */
const SCHEMA_VERSION = '1.1'

/** `server_metrics_export.json`. */
export function document(run: RunResult, result: TelemetryResult): Members {
  const { manifest } = run
  const windows = windowsOf(run, 'profiling')
  const warmup = windowsOf(run, 'warmup')
  const iso = (ns: number | undefined): string | undefined => (ns === undefined ? undefined : new Date(Number(run.unixNs(ns) / 1_000_000n)).toISOString())
  return {
    schema_version: SCHEMA_VERSION,
    aiperf_version: manifest.aiperfVersion,
    benchmark_id: manifest.benchmarkId,
    summary: {
      ...endpoints(result),
      start_time: iso(windows[0]?.startNs),
      end_time: iso(windows.at(-1)?.endNs),
      endpoint_info: Object.fromEntries(result.targets.filter(({ reached }) => reached).map((target) => [target.name, endpointInfo(run, target)])),
      phase_time_ranges: Object.fromEntries(manifest.phases.map((phase) => [phase.name, { start_ns: run.unixNs(phase.startNs), end_ns: run.unixNs(phase.endNs) }])),
    },
    metrics_phase: 'profiling',
    metrics: metrics(run, result, windows),
    warmup_metrics: warmup.length > 0 ? metrics(run, result, warmup, false) : undefined,
    input_config: manifest.explicitOptions as Members,
  }
}

export const endpoints = (result: TelemetryResult): { endpoints_configured: string[]; endpoints_successful: string[] } => ({
  endpoints_configured: result.targets.map(({ name }) => name),
  endpoints_successful: result.targets.filter(({ reached }) => reached).map(({ name }) => name),
})

/** How scraping an endpoint went. */
export function endpointInfo(run: RunResult, target: TelemetryTargetReport): Members {
  const unix = (ns: number | undefined): bigint | undefined => (ns === undefined ? undefined : run.unixNs(ns))
  return {
    total_fetches: target.samples,
    first_fetch_ns: unix(target.firstNs),
    last_fetch_ns: unix(target.lastNs),
    avg_fetch_latency_ms: target.meanLatencyMs,
    unique_updates: target.updates,
    first_update_ns: unix(target.firstUpdateNs),
    last_update_ns: unix(target.lastUpdateNs),
    duration_seconds: ((target.lastUpdateNs ?? 0) - (target.firstUpdateNs ?? 0)) / 1e9,
    avg_update_interval_ms: target.meanUpdateIntervalMs ?? 0,
    median_update_interval_ms: target.medianUpdateIntervalMs,
    interval_ms: target.intervalMs,
    failed_fetches: target.failures,
    last_error: target.lastError,
    gaps: target.gaps.map((gap) => ({ start_ns: run.unixNs(gap.startNs), end_ns: run.unixNs(gap.endNs) })),
    dropped_values: Object.keys(target.dropped).length > 0 ? { ...target.dropped } : undefined,
  }
}

/** Metrics by name: type, unit, and each series with its statistics over the windows. */
export function metrics(run: RunResult, result: TelemetryResult, windows: readonly TelemetryWindow[], sliced = true): Members {
  const slices = sliced ? slicesOf(run, result, windows) : undefined
  return Object.fromEntries(
    byName(result.summarise(windows)).map(([name, group]) => {
      const [first] = group
      const { type, description, unit } = first!.series
      return [
        name,
        {
          type: type === 'info' ? 'gauge' : type,
          description,
          unit: unit === '' ? undefined : unit,
          series: group.map((summary) => seriesObject(result, summary, slices?.get(summary.series))),
        },
      ]
    }),
  )
}

function seriesObject(result: TelemetryResult, summary: SeriesSummary, slices: Slice[] | undefined): Members {
  const rates = slices?.flatMap(({ complete, summary: part }) => (complete && part.counter ? [part.counter.rate] : []))
  return {
    endpoint_url: result.targets[summary.target]!.name,
    labels: Object.keys(summary.series.labels).length > 0 ? { ...summary.series.labels } : undefined,
    stats: statistics(summary, rates),
    buckets: buckets(summary),
    timeslices: slices?.map(({ startNs, endNs, complete, summary: part }) => slice(part, startNs, endNs, complete)),
  }
}

interface Slice {
  startNs: bigint
  endNs: bigint
  complete: boolean
  summary: SeriesSummary
}

/** Each series over the time slices that were asked for; those in which it has no value are left out. */
function slicesOf(run: RunResult, result: TelemetryResult, windows: readonly TelemetryWindow[]): Map<unknown, Slice[]> | undefined {
  const seconds = run.output.sliceSeconds
  if (seconds === undefined) return undefined
  const cuts = windows.flatMap((window) => {
    const count = Math.ceil((window.endNs - window.startNs) / (seconds * 1e9))
    return Array.from({ length: count }, (_, i): TelemetryWindow => ({
      startNs: window.startNs + i * seconds * 1e9,
      endNs: Math.min(window.endNs, window.startNs + (i + 1) * seconds * 1e9),
      ...(i === 0 ? { startsPhase: window.phase! } : {}),
      ...(i === count - 1 ? { endsPhase: window.phase! } : {}),
    }))
  })
  const slices = new Map<unknown, Slice[]>()
  for (const { series, summaries } of result.each(cuts))
    slices.set(
      series,
      summaries.flatMap((summary, i) => {
        const { startNs, endNs } = cuts[i]!
        return summary ? [{ startNs: run.unixNs(startNs), endNs: run.unixNs(endNs), complete: endNs - startNs > seconds * 1e9 - 1, summary }] : []
      }),
    )
  return slices
}
