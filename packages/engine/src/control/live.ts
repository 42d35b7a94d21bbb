import type { LiveSnapshot } from '@aiperf/core'
import { bucketCounts, LIVE_METRICS, liveQuantiles, type LiveMetric, type LivePhase, type LiveState } from '../recorder/live.js'
import type { Health } from '../shared/health.js'
import { ARENA_BYTES } from '../shared/arena.js'
import { PHASE, RUN, WORKER } from '../shared/words.js'
import type { PhaseRun } from './phase-run.js'

/** What rates are over. */
const WINDOW_SECONDS = 0.9
const FIRST_SECONDS = 0.3

/** Keeps what threads report, and makes the snapshots that user interfaces show. */
export class LiveBoard {
  readonly states = new Map<number, LiveState>()
  readonly health = new Map<number, Health>()
  telemetry: LiveSnapshot['telemetry'] = []
  preparing: LiveSnapshot['preparing']
  #lastNs = 0
  #lastReturned = 0
  #lastTokens = 0
  #rate = 0
  #tokenRate = 0
  #windows = 0
  #phase = -1

  snapshot(input: { stage: LiveSnapshot['stage']; run: PhaseRun | undefined; words: Int32Array | undefined; runWords: Int32Array; workerWords: readonly Int32Array[]; nowNs: number; offered?: number }): LiveSnapshot {
    const { run, words, runWords, workerWords, nowNs } = input
    const at = (word: number): number => (words ? Atomics.load(words, word) : 0)
    const parts = run ? this.#parts(run.info.index) : []
    const startNs = run?.info.startNs ?? nowNs
    this.#rates(run?.info.index ?? -1, nowNs, at(PHASE.returned), sum(parts.map((p) => p.outputTokens)))
    return {
      stage: input.stage,
      phase: run?.info.name ?? '',
      ...(this.preparing && !run ? { preparing: this.preparing } : {}),
      elapsedSeconds: Math.max(0, (nowNs - startNs) / 1e9),
      sent: at(PHASE.sent),
      completed: at(PHASE.returned),
      errors: at(PHASE.failed),
      inFlight: at(PHASE.sent) - at(PHASE.returned),
      sessionsInFlight: Atomics.load(runWords, RUN.slots),
      sessionsCompleted: at(PHASE.sessionsDone),
      skipped: at(PHASE.skipped),
      expected: run?.expected ?? {},
      ...(input.offered === undefined ? {} : { offeredPerSecond: input.offered }),
      achievedPerSecond: this.#rate,
      outputTokensPerSecond: this.#tokenRate,
      latency: latencies(parts),
      recent: this.#recent(parts),
      errorClasses: errorClasses(parts),
      workers: workerWords.map((own, id) => ({
        id,
        inFlight: Atomics.load(own, WORKER.inFlight),
        sent: Atomics.load(own, WORKER.sent),
        completed: Atomics.load(own, WORKER.completed),
        errors: Atomics.load(own, WORKER.errors),
        utilization: this.health.get(id)?.utilization ?? 0,
        bytesRead: Atomics.load(own, WORKER.readKib) * 1024,
      })),
      backlogBytes: Math.max(0, Atomics.load(runWords, RUN.backlog)) * ARENA_BYTES,
      telemetry: this.telemetry,
    }
  }

  #before = new Map<LiveMetric, Map<number, number>>()

  /** Medians of what ended since the last snapshot. */
  #recent(parts: readonly LivePhase[]): NonNullable<LiveSnapshot['recent']> {
    const out: NonNullable<LiveSnapshot['recent']> = {}
    for (const metric of LIVE_METRICS) {
      const now = bucketCounts(parts.map((p) => p.histograms[metric]))
      const before = this.#before.get(metric) ?? new Map<number, number>()
      const grown = [...now].flatMap(([index, count]) => (count > (before.get(index) ?? 0) ? [index, count - (before.get(index) ?? 0)] : []))
      this.#before.set(metric, now)
      const quantiles = liveQuantiles([grown])
      if (quantiles) out[metric] = quantiles.p50
    }
    return out
  }

  #parts(phase: number): LivePhase[] {
    return [...this.states.values()].flatMap((state) => state.filter((p) => p.phase === phase))
  }

  #rates(phase: number, nowNs: number, returned: number, tokens: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase
      this.#before.clear()
      this.#lastNs = nowNs
      this.#lastReturned = this.#lastTokens = this.#rate = this.#tokenRate = this.#windows = 0
    }
    const seconds = (nowNs - this.#lastNs) / 1e9
    // The first figures come sooner, of what there is.
    if (seconds < (this.#windows > 0 ? WINDOW_SECONDS : FIRST_SECONDS)) return
    this.#rate = (returned - this.#lastReturned) / seconds
    this.#tokenRate = (tokens - this.#lastTokens) / seconds
    if (seconds < WINDOW_SECONDS) return
    this.#windows++
    this.#lastNs = nowNs
    this.#lastReturned = returned
    this.#lastTokens = tokens
  }
}

function latencies(parts: readonly LivePhase[]): LiveSnapshot['latency'] {
  const out: LiveSnapshot['latency'] = {}
  for (const metric of LIVE_METRICS) {
    const quantiles = liveQuantiles(parts.map((p) => p.histograms[metric]))
    if (quantiles) out[metric] = quantiles
  }
  return out
}

function errorClasses(parts: readonly LivePhase[]): LiveSnapshot['errorClasses'] {
  const byType = new Map<string, { type: string; count: number; message: string }>()
  for (const { errors } of parts)
    for (const { type, count, message } of errors) {
      const known = byType.get(type)
      if (known) known.count += count
      else byType.set(type, { type, count, message })
    }
  return [...byType.values()].sort((a, b) => b.count - a.count)
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}
