import { inputConfig } from './input-config.js'
import type { AbsentMetric, MetricResult, PhaseResult, RequestError, RunManifest, RunResult } from '@aiperf/core'
import type { JsonValue } from '../format/json-text.js'
import { isoUtc, unixTime } from '../format/unix-time.js'
import { metricMap, shown } from './metric-object.js'
import { acceptance, tallyObject } from './tally.js'

type Members = { [key: string]: JsonValue }

/** Layout of the file, as readers of it know it. */
const SCHEMA_VERSION = '1.4'

/** Tags that come first, in the order that readers know; every other metric follows the fixed members. */
const DECLARED = [
  'request_throughput', 'request_latency', 'request_count', 'time_to_first_token', 'time_to_second_token', 'inter_token_latency', 'output_token_throughput',
  'output_token_throughput_per_user', 'output_sequence_length', 'input_sequence_length', 'goodput', 'good_request_count', 'output_token_count', 'reasoning_token_count',
  'min_request_timestamp', 'max_response_timestamp', 'inter_chunk_latency', 'total_output_tokens', 'total_reasoning_tokens', 'benchmark_duration', 'total_isl', 'total_osl',
  'error_request_count', 'error_isl', 'total_error_isl',
] as const

/** The summary of a run: all profiling phases together, and what concerns the run as a whole. */
export function runSummary(run: RunResult): Members {
  return summary(run, run.profiling, true)
}

/** The summary of one phase. */
export function phaseSummary(run: RunResult, phase: PhaseResult): Members {
  return summary(run, phase, false)
}

/**
 * Members of the known layout first and as it has them; ours have names of their own, so that a metric never hides one.
 */
function summary(run: RunResult, phase: PhaseResult, whole: boolean): Members {
  const { manifest } = run
  const metrics = shown(phase.metrics, run.output.internalMetrics)
  const declared = new Set<string>(DECLARED)
  const first = shown(phase.metrics, run.output.internalMetrics, DECLARED).filter((metric) => declared.has(metric.tag))
  const cancelled = whole ? manifest.wasCancelled : phase.info.wasCancelled
  return {
    schema_version: SCHEMA_VERSION,
    aiperf_version: manifest.aiperfVersion,
    benchmark_id: manifest.benchmarkId,
    ...metricMap(first),
    ...(whole ? (run.additions.json as Members | undefined) : undefined),
    input_config: inputConfig(manifest) as Members,
    run_info: { benchmark_id: manifest.benchmarkId, random_seed: manifest.seed, cli_command: manifest.command },
    was_cancelled: cancelled,
    is_complete: manifest.complete && !cancelled,
    incomplete_reason: manifest.incompleteReason ?? (cancelled ? 'The run was interrupted; what was measured until then is here.' : undefined),
    error_summary: phase.errors.map(({ error, count }) => ({ error_details: errorDetails(error), count })),
    start_time: timeOf(run, phase.window.startNs),
    end_time: timeOf(run, phase.window.endNs),
    pooled_spec_decode_acceptance_histogram: tallyObject(acceptance(phase)),
    warmup_metrics: whole && run.warmup ? metricMap(shown(run.warmup.metrics, run.output.internalMetrics)) : undefined,
    ...metricMap(metrics.filter((metric) => !declared.has(metric.tag))),
    ...ours(run, phase, metrics, whole),
  }
}

/** What goes past the known layout. */
function ours(run: RunResult, phase: PhaseResult, metrics: readonly MetricResult[], whole: boolean): Members {
  const { manifest } = run
  return {
    verdict: whole ? { verdict: run.verdict.verdict, reasons: run.verdict.reasons.map((reason) => ({ ...reason })) } : undefined,
    window: span(run, phase.window),
    steady_state: phase.steady && { ...span(run, phase.steady), metrics: metricMap(shown(phase.steady.metrics, run.output.internalMetrics)) },
    absent: absentReasons(phase.absent),
    intervals: pick(metrics, (metric) => metric.intervals),
    withheld: pick(metrics, (metric) => metric.withheld),
    resolution_ns: pick(metrics, (metric) => metric.resolutionNs),
    precision: pick(metrics, (metric) => (typeof metric.precision === 'number' ? metric.precision : undefined)),
    phases: (whole ? run.phases : [phase]).map((each) => phaseObject(run, each)),
    definitions: definitions(run, metrics),
    endpoint: whole ? { type: manifest.endpoint.type, streaming: manifest.endpoint.streaming, urls: manifest.endpoint.urls, models: manifest.endpoint.models } : undefined,
    dataset: whole ? datasetObject(manifest.dataset) : undefined,
    resolved_config: whole ? (manifest.options as Members) : undefined,
    host: whole ? (manifest.host as Members) : undefined,
    client: whole ? (manifest.client as Members) : undefined,
    calibration: whole ? (manifest.calibration as Members | undefined) : undefined,
    notices: whole && manifest.notices.length > 0 ? manifest.notices : undefined,
  }
}

export function errorDetails(error: RequestError): Members {
  return { code: error.code, type: error.type, message: error.message, category: error.category }
}

function timeOf(run: RunResult, ns: number): string | undefined {
  const unixNs = unixTime(run, ns)
  return unixNs === undefined ? undefined : isoUtc(unixNs)
}

function span(run: RunResult, window: { startNs: number; endNs: number; seconds?: number }): Members | undefined {
  const start = unixTime(run, window.startNs)
  const end = unixTime(run, window.endNs)
  return start === undefined || end === undefined ? undefined : { start_ns: start, end_ns: end, seconds: window.seconds ?? (window.endNs - window.startNs) / 1e9 }
}

function phaseObject(run: RunResult, phase: PhaseResult): Members {
  const { info } = phase
  return {
    name: info.name, kind: info.kind, index: info.index, profiling_index: info.profilingIndex, mode: info.mode,
    start_ns: unixTime(run, info.startNs), end_ns: unixTime(run, info.endNs), window: span(run, phase.window),
    ended_by: info.endedBy, was_cancelled: info.wasCancelled,
    counts: {
      due: info.counts.due, sent: info.counts.sent, skipped: info.counts.skipped, unsent: info.counts.unsent, completed: info.counts.completed, errors: info.counts.errors,
      cancelled: info.counts.cancelled, censored: info.counts.censored, retried: info.counts.retried,
      sessions_started: info.counts.sessionsStarted, sessions_completed: info.counts.sessionsCompleted,
    },
  }
}

function datasetObject({ loader, source, hash, sessions, turns, badLines, skipped }: RunManifest['dataset']): Members {
  return { loader, source, hash, sessions, turns, bad_lines: badLines, skipped }
}

function absentReasons(absent: readonly AbsentMetric[]): Members {
  return Object.fromEntries(absent.map(({ tag, reason }) => [tag, reason]))
}

function pick(metrics: readonly MetricResult[], what: (metric: MetricResult) => unknown): Members | undefined {
  const found = metrics.map((metric) => [metric.tag, what(metric)] as const).filter(([, value]) => value !== undefined)
  return found.length === 0 ? undefined : (Object.fromEntries(found) as Members)
}

function definitions(run: RunResult, metrics: readonly MetricResult[]): Members {
  const byTag = new Map(run.metrics.map((metric) => [metric.tag, metric]))
  return Object.fromEntries(metrics.map((metric) => [metric.tag, { header: metric.header, kind: metric.kind, description: byTag.get(metric.tag)?.description }]))
}
