import type { JsonObject } from './dataset.js'
import type { TelemetrySeries } from './result.js'

export interface TelemetrySample {
  /** Index into `series()`. */
  series: number
  value: number
  /** For histograms: cumulative counts by upper bound, sum and count. */
  buckets?: readonly { le: number; count: number }[]
  sum?: number
  count?: number
}

/** Samples on its own clock, and once at each border of a phase. Runs in a thread of its own. */
export interface TelemetrySource {
  /** Finds out what is there. `false`: nothing to sample (said in one line, no warning). */
  start(): Promise<boolean | string>
  /** All series known so far; grows while sampling. */
  series(): readonly TelemetrySeries[]
  sample(at: 'tick' | 'phase-start' | 'phase-end', signal: AbortSignal): Promise<readonly TelemetrySample[]>
  /** Interval between ticks, ms. */
  readonly intervalMs: number
  stop(): Promise<void>
}

export interface TelemetryContext<Options> {
  options: Options
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  warn(message: string): void
}

export interface TelemetryMeta {
  description: string
  /** Sampled without being asked for. */
  onByDefault?: boolean
}

export type TelemetrySummary = JsonObject
