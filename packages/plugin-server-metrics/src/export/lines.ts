import type { PhaseInfo, RunResult, StoredSample, TelemetryResult, TelemetryValue } from '@aiperf/core'
import { bigJson, type BigJson } from './big-json.js'
import { boundText } from './run.js'

/** `server_metrics_export.jsonl`: a line per scrape that showed something new. */
export function* lines(run: RunResult, result: TelemetryResult): Generator<string> {
  for (const sample of result.samples()) if (sample.changed) yield `${bigJson(record(run, result, sample))}\n`
}

function record(run: RunResult, result: TelemetryResult, { target, ns, askedNs, values }: StoredSample): BigJson {
  const at = run.unixNs(ns)
  const asked = askedNs === undefined ? undefined : run.unixNs(askedNs)
  return {
    endpoint_url: result.targets[target]!.name,
    timestamp_ns: at,
    endpoint_latency_ns: asked === undefined ? 0 : at - asked,
    metrics: metrics(values),
    request_sent_ns: asked,
    first_byte_ns: at,
    ...phaseAt(run.manifest.phases, ns),
  }
}

function metrics(values: readonly TelemetryValue[]): BigJson {
  const groups: Record<string, BigJson[]> = {}
  for (const value of values) {
    const { name, type, labels, bounds } = value.series
    if (type === 'info') continue
    const named = Object.keys(labels).length > 0 ? { labels: { ...labels } } : {}
    ;(groups[name] ??= []).push(
      'value' in value
        ? { ...named, value: value.value }
        : { ...named, buckets: Object.fromEntries((bounds ?? []).map((bound, i) => [boundText(bound), value.buckets[i]!])), sum: value.sum, count: value.count },
    )
  }
  return groups
}

function phaseAt(phases: readonly PhaseInfo[], ns: number): { [key: string]: BigJson } {
  const phase = phases.find(({ startNs, endNs }) => ns >= startNs && ns <= endNs)
  return phase ? { benchmark_phase: phase.kind, phase_index: phase.index, profiling_index: phase.profilingIndex, phase_name: phase.name, phase_kind: phase.kind } : {}
}
