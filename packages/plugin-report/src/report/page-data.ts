import type { MetricResult } from '@aiperf/core'
import type { RunSummary } from '../figure/summary.js'

/** A telemetry series on a page. */
export interface PageLine {
  /** Series of the same name share a chart. */
  name: string
  /** What the chart is called. */
  header: string
  /** Tells it from the others of the name; `''` when it is alone. */
  label: string
  unit: string
  t: number[]
  v: number[]
}

/** Data of the page of one run. */
export interface RunPageData {
  kind: 'run'
  requests: RunSummary
  telemetry: PageLine[]
  /** Percentiles of the whole run as the tables have them, by metric. */
  quantiles: Record<string, { p50?: number; p90?: number; p99?: number }>
}

/** One run of a comparison. */
export interface ComparedRun {
  label: string
  name: string
  point: string
  facts: Record<string, string | number | boolean>
  verdict: string
  metrics: MetricResult[]
  /** Tags of which more is better. */
  larger: string[]
  /** Quantiles 0, 0.01 … 0.99, 1 of single requests, by metric. */
  quantiles: Record<string, number[]>
}

/** Data of the page of several runs. */
export interface ComparisonPageData {
  kind: 'comparison'
  runs: ComparedRun[]
}

export type PageData = RunPageData | ComparisonPageData
