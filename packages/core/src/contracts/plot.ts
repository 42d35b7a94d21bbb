import type { JsonObject } from './dataset.js'
import type { MetricResult } from './result.js'

/**
 * Plots: pictures of one run or of several. A plot turns runs into a Vega-Lite specification; reading runs, size, fonts,
 * light and dark, files and pages are the host's work.
 */

/** The requests of a run's profiling phases as columns, in order of start. `NaN`: the request has no value. */
export interface RequestTable {
  readonly count: number
  /** Seconds since the start of the first request. */
  readonly startSeconds: Float64Array
  readonly endSeconds: Float64Array
  /** 1: ended well. */
  readonly succeeded: Uint8Array
  /** Class of the error of a request that failed; `''` for the others. */
  error(index: number): string
  /** A metric's values in its display unit; undefined when no request has one. */
  values(tag: string): Float64Array | undefined
  /** Session of each request, numbered from 0 in order of first start. */
  readonly session: Uint32Array
  readonly turn: Uint16Array
  /** The request's id in the per-request files; `''` when it has none. */
  id(index: number): string
}

/** Sampled values of one telemetry series, in the unit it was reported in. Counters: growth per second. */
export interface TelemetryLine {
  /** Contribution that sampled it, e.g. `dcgm`, `server_metrics`. */
  readonly source: string
  readonly target: string
  /** Key in files, e.g. `vllm:num_requests_running`. */
  readonly name: string
  /** What a person reads: header, subject and the labels that tell it from its neighbours. */
  readonly header: string
  readonly unit: string
  /** Name of the GPU or other thing that was measured. */
  readonly subject?: string
  /** Seconds since the start of the first request. */
  readonly seconds: Float64Array
  readonly values: Float64Array
}

/** A stretch of a run with its metrics. Seconds since the start of the first request. */
export interface PlotSlice {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly complete: boolean
  readonly metrics: ReadonlyMap<string, MetricResult>
}

/** One run as plots see it. */
export interface PlotRun {
  /** Tells it from the other runs of the picture; short enough for a legend. */
  readonly label: string
  /** Name of its folder. */
  readonly name: string
  readonly directory: string
  /**
   * What may tell runs apart, by word: `model`, `concurrency`, `request_rate`, `endpoint_type`, `run_name`,
   * `experiment_group`, and the last segment of each path that a sweep varied.
   */
  readonly facts: Readonly<Record<string, string | number | boolean>>
  /** Runs of the same point of a sweep share it; a run of its own has its own. */
  readonly point: string
  /** Of all profiling phases together. */
  readonly metrics: ReadonlyMap<string, MetricResult>
  largerIsBetter(tag: string): boolean
  /** GPUs that telemetry saw; undefined when there was none. */
  readonly gpus: number | undefined
  readonly slices: readonly PlotSlice[]
  telemetry(): Promise<readonly TelemetryLine[]>
  /** With the columns of these metrics. Undefined when only the summary of the run is known. */
  requests(tags: readonly string[]): Promise<RequestTable | undefined>
}

/** Colours of the theme, as CSS. Text, axes and background are set by the host. */
export interface PlotStyle {
  readonly theme: 'light' | 'dark'
  /** Told apart by people who do not see all colours; groups take them in order. */
  readonly series: readonly string[]
  readonly text: string
  readonly muted: string
  readonly background: string
  /** Failures and values that stick out. */
  readonly bad: string
  /** A group that others are compared with. */
  readonly baseline: string
}

/** A picture as data. */
export interface Figure {
  /** Vega-Lite 6, data inline; without size, `config` and `$schema`. Axis titles carry units. */
  readonly spec: JsonObject
  /** What the picture shows, for somebody who cannot see it. */
  readonly description: string
  /** Beside the title: how many requests or runs, and what they have in common. */
  readonly subtitle?: string
  /** Below the picture: what was left out, summarised or assumed. */
  readonly notes?: readonly string[]
}

/** Nothing to draw, and why: the run lacks what the plot needs. */
export interface NoFigure {
  readonly absent: string
}

/** Draws runs. Pure: the same runs and style give the same picture. */
export interface Plot {
  /** One run for plots of scope `run`, at least one for those of scope `runs`. */
  draw(runs: readonly PlotRun[], style: PlotStyle): Figure | NoFigure | Promise<Figure | NoFigure>
}

/** What a plot declares in its manifest entry (`meta`). */
export interface PlotMeta {
  description: string
  title: string
  /** Whether it shows one run or compares several; a kind of plot whose options decide may serve `any`. */
  scope: 'run' | 'runs' | 'any'
  /** Drawn when no plot is named. */
  default?: boolean
  /** Options that make a kind of plot this plot; several names may share one module. */
  options?: JsonObject
}
