import type { PhaseInfo, RunResult, TelemetryResult } from '@aiperf/core'
import type { BigJson } from './big-json.js'
import { endpointInfo, endpoints, metrics } from './document.js'
import { endpointName, windowOf } from './run.js'

const SCHEMA_VERSION = 1

/** `phases/<name>/server_metrics.json`: the metrics over one phase, by endpoint. */
export function phaseDocument(run: RunResult, result: TelemetryResult, info: PhaseInfo): BigJson {
  const phase = {
    phase_index: info.index,
    profiling_index: info.profilingIndex ?? null,
    phase_name: info.name,
    phase_kind: info.kind,
    start_ns: run.unixNs(info.startNs),
    end_ns: run.unixNs(info.endNs),
    was_cancelled: info.wasCancelled,
  }
  const all = metrics(run, result, [windowOf(info)]) as Record<string, { series: { endpoint_url: string }[] }>
  const ofEndpoint = (url: string): BigJson =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, metric]) => {
        const series = metric.series.filter((s) => s.endpoint_url === url).map(({ endpoint_url: _, ...rest }) => rest)
        return series.length > 0 ? [[name, { ...metric, series }]] : []
      }),
    )
  return {
    schema_version: SCHEMA_VERSION,
    phase,
    data: {
      benchmark_id: run.manifest.benchmarkId,
      ...endpoints(result),
      phase: info.kind,
      phase_index: info.index,
      profiling_index: info.profilingIndex ?? null,
      phase_name: info.name,
      phase_kind: info.kind,
      start_ns: run.unixNs(info.startNs),
      end_ns: run.unixNs(info.endNs),
      error_summary: result.targets.flatMap(({ name, lastError, failures }) => (lastError === undefined ? [] : [{ endpoint_url: name, message: lastError, count: failures }])),
      endpoint_summaries: Object.fromEntries(
        result.targets.filter(({ reached }) => reached).map((target) => [endpointName(target.name), { endpoint_url: target.name, info: endpointInfo(run, target), metrics: ofEndpoint(target.name) }]),
      ),
    },
    warnings: [],
  }
}
