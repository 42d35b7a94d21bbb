import type { RecordView } from './record.js'
import type { SeriesSummary } from './telemetry.js'

/** Names of the statistics that a metric may have; `pN` is a percentile, `std` the standard deviation of the population. */
export const STATISTICS = ['avg', 'min', 'max', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'std', 'count', 'sum'] as const

/** Statistics of a metric, in its display unit. What has no value is absent. */
export type Statistics = { [S in (typeof STATISTICS)[number]]?: number }

/** Conditions under which a metric exists for a run. All must hold. */
export type Gate =
  | 'streaming'        // the run streams
  | 'tokens'           // the endpoint produces tokens
  | 'input-tokens'     // the endpoint tokenizes its input
  | 'audio' | 'image' | 'video'  // the endpoint takes that input
  | 'produces-video'
  | 'goodput'          // objectives were given
  | 'usage-diff'       // token counts are the client's, so that the server's can be compared
  | 'fixed-schedule'
  | 'open-loop'        // requests have due times of their own
  | 'network-rtt'      // a network round-trip time is known
  | 'gpu-power'
  | 'experimental'
  | 'accuracy'         // the problems of a benchmark are asked
  | 'not-accuracy'

interface MetricBase {
  /** Key in files; unique. */
  tag: string
  /** Full name for tables, in title case. */
  header: string
  /** Name for narrow places, such as live views. */
  shortHeader?: string
  /** Unit of the values that `compute` returns. */
  unit: string
  /** Unit in files and on screen, when it differs: the host converts (`ns` → `ms`, `ns` → `sec`, `bytes` → `KB`, `s` → `ms`). */
  displayUnit?: string
  /** Where one does not hold the metric is absent, with the reason. */
  gates?: readonly Gate[]
  /** Tags this metric reads; it is absent when one of them is. Decides the order of evaluation. */
  requires?: readonly string[]
  /** Tags it reads when they exist. */
  optional?: readonly string[]
  /** Larger values are better (goodput comparisons, search directions). */
  largerIsBetter?: boolean
  /** Console table: `default` and others; `none`: in files only. */
  group?: 'default' | 'effective' | 'active' | 'usage' | 'http' | 'spec-decode' | 'power' | 'none'
  /** Row order in its table, ascending; unset last. */
  order?: number
  /** Computed but shown nowhere unless asked for. */
  internal?: boolean
  /** The short header is shown without its unit. */
  shortHeaderHidesUnit?: boolean
  /** Has a meaning for a whole phase only: left out of time slices. */
  wholePhaseOnly?: boolean
  /** One sentence and the formula, for the generated metric reference. */
  description: string
  /** Why it has no value in a run in which its gates hold, e.g. `the server reported no usage`. */
  absence?: string
}

/** Values of other metrics for the same record. */
export type RecordValues = (tag: string) => number | undefined

/**
 * Records a metric is computed for. `success`: requests that ended well. `error`: requests that failed; those the client
 * cancelled on purpose and those unfinished at the end of the phase (censored) are not failures. `all`: every record,
 * whatever became of it; `compute` looks at `outcomeName`.
 */
export type RecordSelection = 'success' | 'error' | 'all'

/** One value (or a list) per record. */
export interface RecordMetric extends MetricBase {
  kind: 'record'
  /** Default `success`. */
  records?: RecordSelection
  /** A failed request counts as infinitely bad in an extra `adj_<tag>` row. */
  errorAdjusted?: boolean
  /**
   * Tag of the record metric that holds how far requests unfinished at the end had come: adds a row
   * `<tag>_with_unfinished`, whose percentiles are estimated from both.
   */
  censoredBy?: string
  /** Left out of per-request files. */
  noIndividualRecords?: boolean
  /**
   * In time slices the value counts at the record's token events, spread evenly, instead of at its start: the sum over a
   * slice is then what arrived in it.
   */
  countsAtTokens?: boolean
  /**
   * The value in `unit`; a list is pooled over all records; undefined: no value. A list may be a view of a buffer that
   * the next call overwrites.
   */
  compute(record: RecordView, values: RecordValues, context: MetricContext): number | Float64Array | undefined
}

/** Contributions of records, folded. */
export interface AggregateMetric extends MetricBase {
  kind: 'aggregate'
  /** Default `success`. */
  records?: RecordSelection
  /**
   * `tally`: contributions are lists, added up place by place, such as the steps of a request by the number of tokens each
   * gained. A tally has no statistics but `MetricResult.tally`, and is of whole phases only.
   */
  fold: 'sum' | 'min' | 'max' | 'tally'
  /** Its contribution stands in per-request files too. */
  individualRecords?: boolean
  compute(record: RecordView, values: RecordValues, context: MetricContext): number | Float64Array | undefined
}

/** One value from the values of others over the same scope (a phase, a time slice, a steady state). */
export interface DerivedMetric extends MetricBase {
  kind: 'derived'
  compute(scope: Scope, context: MetricContext): number | undefined
}

/** A curve over time, summarised by time-weighted statistics (`avg min max std p50 p90 p95 p99`). */
export interface CurveMetric extends MetricBase {
  kind: 'curve'
  /** Adds the record's steps to the curve. */
  compute(record: RecordView, curve: CurveBuilder, context: MetricContext): void
  /** Add this curve metric's curve (its own contributions, without its division) at each time. */
  plus?: string
  /** Divide by this curve metric's value at each time; 0 where that is 0. */
  dividedBy?: string
  /** Average only over the time in which this curve is above 0. */
  whilePositive?: string
  /** Default `all`: what a request does to the server does not depend on how it ends. */
  records?: RecordSelection
}

/** Collects the steps of a curve over time, in any order; ns on the run's clock. */
export interface CurveBuilder {
  /** Adds `delta` to the curve from `ns` on. */
  add(ns: number, delta: number): void
  /** Adds a delta at each of many times: `deltas[i]`, or the same number. For what comes with every token. */
  addEach(times: Float64Array, deltas: Float64Array | number): void
}

/** Every kind of metric. */
export type Metric = RecordMetric | AggregateMetric | DerivedMetric | CurveMetric

/** What a derived metric sees. */
export interface Scope {
  /** The window rates are divided by, seconds; declared once per phase. */
  readonly windowSeconds: number
  readonly windowStartNs: number
  readonly windowEndNs: number
  /** Sum of a record metric's values, value of an aggregate or derived metric, in its own unit. */
  value(tag: string): number | undefined
  /** A statistic of a record metric, in its own unit. */
  statistic(tag: string, stat: keyof Statistics): number | undefined
  /** Telemetry series of this name, of every source and target, over the scope's window; empty when there are none. */
  telemetry(name: string): readonly SeriesSummary[]
  /** Arrivals that found no slot and were dropped; undefined in scopes smaller than a phase. */
  readonly skipped: number | undefined
}

/** Facts of the run that formulas may use. */
export interface MetricContext {
  streaming: boolean
  useServerTokenCount: boolean
  perChunkUsage: boolean
  /** Mean network round trip, ns; undefined when not known. */
  networkRttNs?: number
  /** Goodput objectives: tag, threshold in the metric's own unit, and the sense of the comparison. */
  objectives: readonly { tag: string; threshold: number; atLeast: boolean }[]
  /** Sessions at a time that the phase asks for, where it names a number. */
  concurrency?: number
  /** Thresholds (`AIPERF_METRICS_*`). */
  thresholds: { oslMismatchPct: number; oslMismatchTokens: number; usageDiffPct: number }
  /** Start of the phase under evaluation, ns. */
  phaseStartNs: number
}
