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
  /** Percentiles of the whole run as the tables have them, by metric. `null`: too few requests for it. */
  quantiles: Record<string, { p50?: number | null; p90?: number | null; p99?: number | null }>
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

/** Data of the page of swim lanes. */
export interface LanesPageData {
  kind: 'lanes'
  end: number
  rows: number
  lanes: { row: number; rows: number }[]
  /** Lane, start and end of each session. */
  sessions: [lane: number, start: number, end: number][]
  bars: {
    request: number[]; row: number[]; start: number[]; end: number[]
    ttft: (number | null)[]; isl: (number | null)[]; osl: (number | null)[]
    session: number[]; turn: number[]; error: string[]; id: string[]
  }
  curves: { title: string; unit: string; rows: { t: number; v: number }[] }[]
  /** Percentiles of the requests that started together. */
  ttft: { t: number; p50: number; p99: number }[]
  ttftTitle: string
  concurrency?: number
  rampSeconds?: number
}

/** A message, stored once however often it was sent. */
export interface PageMessage {
  role: string
  text: string
  /** Length of the whole, when the text was cut. */
  length?: number
}

export interface PageTurn {
  turn: number
  /** Seconds since the first request of the page. */
  start: number
  seconds: number
  /** Indexes into the messages: what was sent. */
  sent: number[]
  reply?: number
  error?: string
  status?: number
}

export interface PageConversation {
  name: string
  depth: number
  turns: PageTurn[]
  /** Turns that are left out. */
  more: number
}

/** Data of the page of what was said. */
export interface MessagesPageData {
  kind: 'messages'
  messages: PageMessage[]
  conversations: PageConversation[]
}

export type PageData = RunPageData | ComparisonPageData
