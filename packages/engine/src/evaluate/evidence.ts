import type { PhaseResult, Statistics, VerdictReason } from '@aiperf/core'
import type { EvaluateInput } from './input.js'
import { THRESHOLDS, type ThresholdName } from './thresholds.js'

/** What the verdict is made from. */
export interface Evidence {
  readonly input: EvaluateInput
  readonly profiling: PhaseResult
  /** The profiling phases one by one. */
  readonly phases: readonly PhaseResult[]
  readonly warmup: PhaseResult | undefined
  /** First turns sent, and those whose conversation had been sent before (in any phase). */
  readonly repeats: { readonly first: number; readonly repeated: number }
  /** Metrics whose formula threw, with what it said. */
  readonly faults: ReadonlyMap<string, string>
}

export type Say = (reason: VerdictReason) => void

/** A statistic of a metric of a phase, in display unit. */
export function read(phase: PhaseResult, tag: string, stat: keyof Statistics = 'avg'): number | undefined {
  return phase.metrics.get(tag)?.[stat]
}

/** The level whose threshold a value has passed: above it, or below it with `below`. */
export function levelOf(name: ThresholdName, value: number, below = false): { level: VerdictReason['level']; threshold: number } | undefined {
  const row: { note?: number; suspect?: number; invalid?: number } = THRESHOLDS[name]
  for (const level of ['invalid', 'suspect', 'note'] as const) {
    const threshold = row[level]
    if (threshold !== undefined && (below ? value < threshold : value > threshold)) return { level, threshold }
  }
  return undefined
}

/** Median of the shortest latency that was measured, ms: what delays of the client have to be compared with. */
export function shortestLatencyMs(phase: PhaseResult): number | undefined {
  return read(phase, 'time_to_first_token', 'p50') ?? read(phase, 'request_latency', 'p50')
}

/** A number as people read it: three significant digits. */
export function brief(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
