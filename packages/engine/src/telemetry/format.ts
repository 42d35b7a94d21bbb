import type { TelemetrySeries } from '@aiperf/core'

/**
 * The lines of `telemetry-<source>.jsonl`. A sample holds what differs from the sample before it (of the same target, in
 * the order of the file), so a series that stands still costs nothing.
 */
export type Line = HeadLine | TargetLine | SeriesLine | SampleLine | FailureLine

export interface HeadLine {
  telemetry: 1
  source: string
  package: string
  title: string
  ownExporter: boolean
}

export interface TargetLine {
  target: number
  name: string
  asked: boolean
  intervalMs: number
  absent?: string
}

/** Announces a series, before its first value. */
export interface SeriesLine {
  series: number
  of: number
  /** `bounds` without the last one, Infinity, which JSON cannot say. */
  is: TelemetrySeries
}

export interface SampleLine {
  /** Target. */
  t: number
  ns: number
  /** When it was asked for. */
  asked?: number
  at?: 'start' | 'end'
  phase?: number
  /** Interval in force when it was stretched, ms. */
  every?: number
  /** Series and value, in turns. */
  set?: number[]
  /** Per histogram: series, count, sum, then bucket index and its own (not cumulative) count, in turns. `null`: no sum. */
  hist?: (number | null)[][]
  /** Series that showed before and do not now. */
  gone?: number[]
  /** Names of series whose value was not a finite number. */
  dropped?: string[]
}

export interface FailureLine {
  failed: number
  ns: number
  error: string
}

/** Name of a source's file; a source may be named by package too (`@acme/x:psu`). */
export const fileName = (source: string): string => `telemetry-${source.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+/, '')}.jsonl`
export const FILE_PATTERN = /^telemetry-.*\.jsonl$/
