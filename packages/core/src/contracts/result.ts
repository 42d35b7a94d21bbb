import type { AccuracyResult } from './accuracy.js'
import type { JsonObject } from './dataset.js'
import type { Metric, Statistics } from './metric.js'
import type { ExportAdditions } from './exporter.js'
import type { RecordView, RequestError } from './record.js'
import type { TelemetryResult } from './telemetry.js'

/** A metric's result over one scope. */
export interface MetricResult extends Statistics {
  tag: string
  header: string
  unit: string
  group: NonNullable<Metric['group']>
  order?: number
  kind: Metric['kind']
  internal?: boolean
  /** 95 % confidence intervals of percentiles by order statistics: `[low, high]` in the display unit. */
  intervals?: Partial<Record<keyof Statistics, readonly [number, number]>>
  /**
   * Percentiles that the sample cannot carry (no order statistic bounds them with 95 % confidence), with the number of
   * values each would need. The values themselves stay in place, for files that must have the key; a reader is shown
   * none.
   */
  withheld?: Partial<Record<keyof Statistics, number>>
  /** `exact`, or the relative error of a histogram. */
  precision?: 'exact' | number
  /** Of a metric that is a tally: what its records contributed at each place, from 0. */
  tally?: readonly number[]
  /** Curves of very long runs: width of the time bins over which the curve was averaged first, ns. */
  resolutionNs?: number
}

/** Why a metric is absent. */
export interface AbsentMetric {
  tag: string
  /** e.g. `not streaming`, `the server reported no usage`, `every output had fewer than 2 tokens`. */
  reason: string
}

/** A stretch of a phase of the length the user asked for (`--slice-duration`); the last one may be cut short. ns on the run's clock. */
export interface TimeSlice {
  startNs: number
  endNs: number
  complete: boolean
  metrics: Map<string, MetricResult>
}

/** One phase as it went. Wall-clock times are Unix ns as bigint-safe strings in files. */
export interface PhaseInfo {
  index: number
  name: string
  kind: 'warmup' | 'profiling'
  /** Index among the profiling phases; undefined for warm-up. */
  profilingIndex?: number
  /** Timing mode and its resolved options, for reports. */
  mode: string
  options: JsonObject
  startNs: number
  endNs: number
  /** Counters of the scheduler. */
  counts: {
    /** Arrivals that came due, were sent, were skipped for want of a slot, and were never reached before the end. */
    due: number
    sent: number
    skipped: number
    unsent: number
    completed: number
    errors: number
    cancelled: number
    censored: number
    retried: number
    sessionsStarted: number
    sessionsCompleted: number
  }
  wasCancelled: boolean
  /** Why it ended: `requests`, `sessions`, `duration`, `schedule`, `interrupted`, `error-threshold`, `failed`… */
  endedBy: string
}

/** What was measured in a phase. */
export interface PhaseResult {
  info: PhaseInfo
  /**
   * Window of every rate: first dispatch to last end of the requests that completed (well or not), ns. `seconds` is what
   * rates are divided by: the length, or for several phases together the sum of their lengths.
   */
  window: { startNs: number; endNs: number; seconds: number }
  metrics: Map<string, MetricResult>
  absent: AbsentMetric[]
  errors: { error: RequestError; count: number }[]
  slices: TimeSlice[]
  /**
   * The part with the ramp-up and the drain trimmed; undefined when there is none. Metrics of the groups `default`,
   * `effective` and `power`.
   */
  steady?: { startNs: number; endNs: number; metrics: Map<string, MetricResult> }
}

/** One reason for or beside a verdict. `value` is what was measured, `threshold` what it was held against, in the same unit. */
export interface VerdictReason {
  /** Stable code, e.g. `schedule-lag`, `client-saturated`, `too-few-samples`, `error-rate`, `rate-not-achieved`,
   * `token-mismatch`, `cache-contamination`, `no-warmup`, `censored`. */
  code: string
  level: 'suspect' | 'invalid' | 'note'
  message: string
  value?: number
  threshold?: number
}

/** Whether a run can be trusted: the worst level of its reasons, notes left out. */
export interface Verdict {
  verdict: 'valid' | 'suspect' | 'invalid'
  reasons: VerdictReason[]
}

/** `manifest.json`: everything needed to judge and repeat a run. */
export interface RunManifest {
  schemaVersion: string
  aiperfVersion: string
  benchmarkId: string
  /** Unix time of the run clock's 0, ns, decimal text. */
  startUnixNs: string
  startTime: string
  endTime?: string
  command: string
  /** Resolved options, every value, secrets replaced by `<redacted>`; and what the user set explicitly. */
  options: JsonObject
  explicitOptions: JsonObject
  seed: number | undefined
  plugins: { package: string; version: string; integrity?: string; contributions: string[] }[]
  dataset: {
    loader: string
    sessions: number
    turns: number
    hash?: string
    source?: string
    badLines: number
    skipped: number
    /** Why entries were left out, with their number. */
    skippedReasons?: Record<string, number>
    /** Where data came from that was not on this machine: name, revision, commit… */
    provenance?: JsonObject[]
  }
  tokenizer?: { name: string; hash?: string }
  host: JsonObject
  phases: PhaseInfo[]
  /** The state the journal was left in. */
  complete: boolean
  incompleteReason?: string
  wasCancelled: boolean
  endpoint: {
    type: string
    metricsTitle: string
    streaming: boolean
    urls: string[]
    models: string[]
    /** What the endpoint type can do, as its manifest entry says; absent: it makes tokens out of tokens. */
    producesTokens?: boolean
    tokenizesInput?: boolean
    /** Modalities of the input: `image`, `audio`, `video`. */
    media?: readonly string[]
    producesVideos?: boolean
  }
  /**
   * What the client itself was up to: event-loop use, delays, garbage collection, per thread. The verdict reads it as
   * `ClientUse` of `@aiperf/engine/evaluate`.
   */
  client: JsonObject
  calibration?: JsonObject
  notices: string[]
  /** Where the run stands in a sweep, a search or a series of repeated runs; `index` and `trial` from 0. */
  sweep?: { id: string; index: number; label: string; values: JsonObject; trial: number }
}

/** A finished run, as exporters see it. Everything in it comes from the run's directory. */
export interface RunResult {
  manifest: RunManifest
  phases: PhaseResult[]
  /** All profiling phases together: what the main files show. */
  profiling: PhaseResult
  warmup?: PhaseResult
  verdict: Verdict
  /** Records in order of `ordinal`. The view moves: use it before the next step. `value` is in the display unit. */
  records(): AsyncIterable<{ record: RecordView; value(tag: string): number | Float64Array | undefined }>
  /** Metrics in order of evaluation. */
  metrics: readonly Metric[]
  /** Raw requests and responses in order of `ordinal`, when the run kept them. */
  raw(): AsyncIterable<RawExchange>
  /**
   * What was generated (reasoning, then content), in order of `ordinal`: only of requests that produced text. Absent
   * when the run did not keep texts (`--export-outputs-json`).
   */
  texts?(): AsyncIterable<{ ordinal: number; text: string }>
  /** The dataset's bodies: per conversation, the payloads as sent when they were known before the run. */
  inputs(): AsyncIterable<{ sessionId: string; payloads: Uint8Array[] }>
  telemetry: readonly TelemetryResult[]
  /** Absent: no benchmark was asked. */
  accuracy?: AccuracyResult
  /** What exporters with `adds` add to files that others write; empty while these are asked. */
  additions: ExportAdditions
  /** Options that shape exports. */
  output: {
    level: 'summary' | 'records' | 'raw'
    prefix?: string
    sliceSeconds?: number
    httpTrace: boolean
    showTraceTiming: boolean
    outputsJson: boolean
    internalMetrics: boolean
  }
  requestId(record: Pick<RecordView, 'ordinal'>): string
  correlationId(record: Pick<RecordView, 'phase' | 'session'>): string
  conversationId(record: Pick<RecordView, 'conversation'>): string
  /** Wall clock, Unix ns as decimal digits, of a time on the run's clock. */
  unixNs(ns: number): bigint
}

/** One request as it went over the wire. Header names as sent and received; ns on the run's clock. */
export interface RawExchange {
  ordinal: number
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  payload: Uint8Array
  /** Body bytes as they came: one entry per read. */
  reads: { ns: number; bytes: Uint8Array }[]
}
