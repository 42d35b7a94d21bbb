import type { RequestError } from '@aiperf/core'
import type { ResponseReader } from '../decode/response.js'

/** Buckets per factor of e: a resolution of about 1 %. */
const PER_E = 100
const LOWEST_NS = 1000
const BUCKETS = Math.ceil(Math.log(1e14 / LOWEST_NS) * PER_E)

export type LiveMetric = 'ttft' | 'itl' | 'latency' | 'lag'
export const LIVE_METRICS: readonly LiveMetric[] = ['ttft', 'itl', 'latency', 'lag']

/** Counts of what ended in one phase, as sent to the control plane a few times a second. */
export interface LivePhase {
  phase: number
  completed: number
  failed: number
  outputTokens: number
  errors: { type: string; message: string; count: number }[]
  /** Non-empty buckets: index, count, index, count… */
  histograms: Record<LiveMetric, number[]>
}
export type LiveState = LivePhase[]

class PhaseCounts {
  completed = 0
  failed = 0
  /** Only requests dispatched from here on count. */
  fromNs = 0
  outputTokens = 0
  readonly errors = new Map<string, { type: string; message: string; count: number }>()
  readonly histograms = Object.fromEntries(LIVE_METRICS.map((m) => [m, new Uint32Array(BUCKETS)])) as Record<LiveMetric, Uint32Array>
}

/** Running counts for the live view: coarse on purpose (about 1 %), and cheap. */
export class LiveStatistics {
  readonly #phases = new Map<number, PhaseCounts>()
  /** Counts since the last `window`, of phases under adaptive control. */
  readonly #windows = new Map<number, PhaseCounts>()

  /** What ended since the last call, of requests dispatched from `fromNs` on; starts the next window. */
  window(phase: number, fromNs: number): LivePhase {
    const counts = this.#windows.get(phase) ?? new PhaseCounts()
    const next = new PhaseCounts()
    next.fromNs = fromNs
    this.#windows.set(phase, next)
    return stateOf(phase, counts)
  }

  record(phase: number, reader: ResponseReader, dueNs: number, dispatchedNs: number, outputTokens: number, error: RequestError | undefined): void {
    let counts = this.#phases.get(phase)
    if (!counts) this.#phases.set(phase, (counts = new PhaseCounts()))
    add(counts, reader, dueNs, dispatchedNs, outputTokens, error)
    const window = this.#windows.get(phase)
    if (window && dispatchedNs >= window.fromNs) add(window, reader, dueNs, dispatchedNs, outputTokens, error)
  }

  state(): LiveState {
    return [...this.#phases].map(([phase, counts]) => stateOf(phase, counts))
  }
}

function add(counts: PhaseCounts, reader: ResponseReader, dueNs: number, dispatchedNs: number, outputTokens: number, error: RequestError | undefined): void {
    counts.completed++
    put(counts.histograms.lag, dispatchedNs - dueNs)
    if (error) {
      counts.failed++
      const known = counts.errors.get(error.type)
      if (known) {
        known.count++
        known.message = error.message
      } else if (counts.errors.size < 50) counts.errors.set(error.type, { type: error.type, message: error.message, count: 1 })
      return
    }
    const { firstTokenNs, lastTokenNs } = reader
    put(counts.histograms.latency, lastTokenNs - dispatchedNs)
    if (reader.streamed) put(counts.histograms.ttft, firstTokenNs - dispatchedNs)
    if (!Number.isNaN(outputTokens)) {
      counts.outputTokens += outputTokens
      if (reader.streamed && outputTokens > 1) put(counts.histograms.itl, (lastTokenNs - firstTokenNs) / (outputTokens - 1))
    }
}

function stateOf(phase: number, counts: PhaseCounts): LivePhase {
  return {
    phase,
    completed: counts.completed,
    failed: counts.failed,
    outputTokens: counts.outputTokens,
    errors: [...counts.errors.values()],
    histograms: Object.fromEntries(LIVE_METRICS.map((m) => [m, sparse(counts.histograms[m])])) as Record<LiveMetric, number[]>,
  }
}

function put(buckets: Uint32Array, ns: number): void {
  if (!(ns >= 0)) return
  const index = ns <= LOWEST_NS ? 0 : Math.min(BUCKETS - 1, Math.floor(Math.log(ns / LOWEST_NS) * PER_E))
  buckets[index]!++
}

function sparse(buckets: Uint32Array): number[] {
  const out: number[] = []
  for (let i = 0; i < buckets.length; i++) if (buckets[i]! > 0) out.push(i, buckets[i]!)
  return out
}

/** Counts by bucket of several sparse histograms together. */
export function bucketCounts(parts: readonly number[][]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const part of parts) for (let i = 0; i < part.length; i += 2) counts.set(part[i]!, (counts.get(part[i]!) ?? 0) + part[i + 1]!)
  return counts
}

/** Quantiles (ms) and mean of several recorders' histograms together; undefined when nothing was counted. */
export function liveQuantiles(parts: readonly number[][]): { p50: number; p90: number; p95: number; p99: number; avg: number } | undefined {
  const sorted = [...bucketCounts(parts)].sort((a, b) => a[0] - b[0])
  const total = sorted.reduce((all, [, count]) => all + count, 0)
  if (total === 0) return undefined
  const middleMs = (index: number): number => (LOWEST_NS * Math.exp((index + 0.5) / PER_E)) / 1e6
  const at = (q: number): number => {
    let left = q * total
    for (const [index, count] of sorted) if ((left -= count) <= 0) return middleMs(index)
    return 0
  }
  const sum = sorted.reduce((all, [index, count]) => all + middleMs(index) * count, 0)
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), avg: sum / total }
}
