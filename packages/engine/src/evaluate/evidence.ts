import type { PhaseResult, Statistics, VerdictReason } from '@aiperf/core'
import { brief } from '@aiperf/core/numbers'
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

/** Median of the shortest latency that was measured: what delays of the client have to be compared with. */
export function shortestLatency(phase: PhaseResult): { ms: number; text: string } | undefined {
  for (const [tag, name] of [['time_to_first_token', 'time to first token'], ['request_latency', 'request latency']] as const) {
    const ms = read(phase, tag, 'p50')
    if (ms !== undefined) return { ms, text: `of the median ${name} (${brief(ms)} ms)` }
  }
  return undefined
}
