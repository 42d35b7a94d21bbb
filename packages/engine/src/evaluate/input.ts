import type { Metric, MetricContext, PhaseResult, RunManifest, RunModel, TelemetryResult, TelemetryWindow, Verdict, VerdictReason } from '@aiperf/core'
import type { FactBatch } from '../journal/batch.js'
import type { KeptBatch } from './kept.js'

/** Everything an evaluation reads. It has no clock and opens no file: the same input gives the same result. */
export interface EvaluateInput {
  manifest: RunManifest
  /**
   * The journal's rows, in any order. Called once, and a second time when time slices are asked for or a run is so long
   * that a part of it (the steady state) can no longer be cut out of what is kept in memory. A batch is read before the
   * next is asked for and is not kept.
   */
  batches(): Iterable<FactBatch> | AsyncIterable<FactBatch>
  /** Keep what was read and computed up to this size, for `Evaluation.kept`; batches are then read after the next is asked for. Default 0. */
  keepBytes?: number
  /** Of all installed plugins; those whose gates do not hold become absent metrics with a reason. */
  metrics: readonly Metric[]
  model: RunModel
  telemetry?: readonly TelemetryResult[]
  /** What telemetry sources have to say about a phase (`TelemetryJudge`), for the verdict. */
  judge?(phase: TelemetryWindow): readonly VerdictReason[]
  /** Mean network round trip, ns, from probes; absent: `model.networkLatency.meanMs` if given. */
  networkRttNs?: number
  /** `AIPERF_METRICS_*`; defaults are those of `METRIC_THRESHOLDS`. */
  metricThresholds?: Partial<MetricContext['thresholds']>
  /** Accuracy mode turns some metrics off. */
  accuracy?: boolean
  limits?: Partial<EvaluateLimits>
}

/** Where exactness ends. Beyond these sizes memory no longer grows, and results say how precise they are. */
export interface EvaluateLimits {
  /** Values of one metric kept for exact percentiles; beyond: histogram with at most 0.1 % relative error. */
  exactValues: number
  /** Steps of one curve kept; beyond: averages over time bins, their width in the result. */
  exactSteps: number
  timeBins: number
}

/** What an evaluation contributes to a `RunResult`. */
export interface Evaluation {
  /** Batches with their values, in the order in which they were read, when `EvaluateInput.keepBytes` allows. */
  kept?: readonly KeptBatch[]
  /** In order of `manifest.phases`; phases without records included. */
  phases: PhaseResult[]
  /** All profiling phases together. The same object as the phase's own result when there is one. */
  profiling: PhaseResult
  warmup?: PhaseResult
  verdict: Verdict
  /** The metrics that exist for this run, in order of evaluation (`RunResult.metrics`). */
  metrics: readonly Metric[]
  /** For `createRowValues`: the values of single records, as per-request files show them. */
  context: MetricContext
}

/**
 * `manifest.client` as the verdict reads it. Every field is optional: what was not measured gives no reason. Figures are
 * of the profiling phases, not of start-up.
 */
export interface ClientUse {
  threads?: {
    role: 'main' | 'worker' | 'recorder' | 'pacer' | (string & {})
    id: number
    /** Event-loop utilisation, 0–1, the highest over windows of about a second (or the mean, if only that is known). */
    utilization?: number
    /** 99th percentile of the event loop's delay beyond its timer, ms. */
    loopDelayP99Ms?: number
    /** Time in garbage collection, ms, and the longest pause. */
    gcMs?: number
    gcMaxMs?: number
    /** CPU time of the thread, s. */
    cpuSeconds?: number
  }[]
  /** Length of the measured time, s; cores the process may use; CPU time of the whole process, s. */
  wallSeconds?: number
  cores?: number
  cpuSeconds?: number
  /** Largest backlog of the recorders, bytes, and how long it took to work off after the last response, s. */
  backlogBytes?: number
  backlogSeconds?: number
  /** Requests that were due while no thread could send them. */
  [other: string]: unknown
}

/** `manifest.calibration` as the verdict reads it: this client's own floor against a server that does no work. */
export interface Calibration {
  /** Time the client itself adds to a latency, ms. */
  floorLatencyP50Ms?: number
  floorLatencyP99Ms?: number
  /** What all workers together can do at most. */
  requestsPerSecond?: number
  chunksPerSecond?: number
}

