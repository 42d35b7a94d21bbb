import type { JsonObject, RunResult, SeriesSummary, TelemetryResult, TelemetryWindow } from '@aiperf/core'
import { attribute, endpointName, indexOf, seenGpus, type SeenGpu } from './gpus.js'

const JOULES: Readonly<Record<string, number>> = { MJ: 1e6, kJ: 1e3, J: 1, mJ: 1e-3 }

/** `telemetry_data` of the summary, over the windows. */
export function telemetryData(run: RunResult, sources: readonly TelemetryResult[], windows: readonly TelemetryWindow[]): JsonObject {
  const endpoints: Record<string, { gpus: JsonObject }> = {}
  for (const gpu of seenGpus(sources, windows)) {
    const { gpus } = (endpoints[gpu.endpoint] ??= { gpus: {} })
    gpus[`gpu_${gpu.subject.id.replace('/', '_mig_')}`] = gpuObject(gpu, windows)
  }
  const targets = sources.flatMap((source) => source.targets)
  const time = (ns: number | undefined): string => new Date(Number(run.unixNs(ns ?? 0) / 1_000_000n)).toISOString()
  return {
    summary: {
      endpoints_configured: targets.map(endpointName),
      endpoints_successful: targets.filter((target) => target.reached).map(endpointName),
      start_time: time(windows[0]?.startNs),
      end_time: time(windows.at(-1)?.endNs),
      sampling: Object.fromEntries(
        targets.map((target) => [
          endpointName(target),
          {
            samples: target.samples,
            failures: target.failures,
            interval_ms: target.intervalMs,
            ...(target.meanUpdateIntervalMs === undefined ? {} : { mean_update_interval_ms: target.meanUpdateIntervalMs }),
            ...(target.meanLatencyMs === undefined ? {} : { mean_latency_ms: target.meanLatencyMs }),
            gaps: target.gaps.length,
            ...(target.lastError === undefined ? {} : { last_error: target.lastError }),
          },
        ]),
      ),
    },
    endpoints,
  }
}

function gpuObject({ subject, series }: SeenGpu, windows: readonly TelemetryWindow[]): JsonObject {
  const optional: Record<string, string | undefined> = {
    hostname: attribute(subject, 'hostname'),
    namespace: attribute(subject, 'namespace'),
    pod_name: attribute(subject, 'pod'),
    pci_bus_id: attribute(subject, 'pciBusId'),
    device: attribute(subject, 'device'),
    mig_instance: attribute(subject, 'mig'),
  }
  return {
    gpu_index: indexOf(subject),
    gpu_name: subject.name,
    gpu_uuid: attribute(subject, 'uuid') ?? '',
    platform: attribute(subject, 'platform') ?? 'unknown',
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as JsonObject),
    metrics: Object.fromEntries(series.flatMap((summary) => metricObject(summary))),
    ...energy(series, windows),
  }
}

function metricObject({ series, gauge, counter }: SeriesSummary): [string, JsonObject][] {
  if (counter) return [[series.name, { unit: series.unit, avg: counter.total, rate_per_second: counter.rate, resets: counter.resets, exact: counter.exact }]]
  if (!gauge) return []
  const { integral: _, ...stats } = gauge
  return [[series.name, { unit: series.unit, ...stats }]]
}

/** Energy of the windows: by the card's counter, else power × time by trapezoids, scaled to the whole when samples are missing. */
function energy(series: readonly SeriesSummary[], windows: readonly TelemetryWindow[]): JsonObject {
  const counted = series.find((s) => s.series.continuous === true && s.counter !== undefined && JOULES[s.series.unit] !== undefined)
  if (counted?.counter && counted.counter.total > 0)
    return { energy: { joules: counted.counter.total * JOULES[counted.series.unit]!, method: 'counter', exact: counted.counter.exact } }
  const power = series.find((s) => s.series.unit === 'W' && s.gauge !== undefined)?.gauge
  if (!power) return {}
  const seconds = windows.reduce((sum, window) => sum + (window.endNs - window.startNs) / 1e9, 0)
  return { energy: { joules: power.avg * seconds, method: 'power integral', exact: power.coverage > 0.999 } }
}
