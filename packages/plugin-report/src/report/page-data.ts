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

export type PageData = RunPageData
