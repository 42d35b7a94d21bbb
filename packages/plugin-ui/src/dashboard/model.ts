import type { LiveSnapshot } from '@aiperf/core'
import type { Level } from '../log-lines.js'
import { progressOf, sending } from '../progress.js'
import { clean } from '../text.js'

export type View = 'overview' | 'progress' | 'metrics' | 'workers' | 'telemetry' | 'log' | 'errors'
export type SeriesName = 'ttft' | 'itl' | 'latency' | 'lag' | 'tokens' | 'rate' | 'inFlight'

export interface SeenPhase { name: string; share: number | undefined; text: string; seconds: number; over: boolean }
export interface LogEntry { time: Date; level: Level; message: string }

/** Time between samples of a series. */
export const SAMPLE_MS = 500
/** Half an hour of samples; the sparklines need the last, the charts all of them. */
const SAMPLES = 3600
const LOG_LINES = 2000
const MESSAGE_LENGTH = 500

/** Everything that was to be sent has been. */
const isAfterwards = ({ stage }: LiveSnapshot): boolean => stage === 'records' || stage === 'exporting' || stage === 'done'
const AT_REST = { inFlight: 0, sessionsInFlight: 0 }

/** What the view knows: the last snapshot and what had to be kept of the ones before. */
export class LiveModel {
  snapshot: LiveSnapshot | undefined
  view: View = 'overview'
  logShown = true
  /** The person asked to end the run. */
  ending = false
  /** A word to the person, e.g. that the log was copied. */
  notice = ''
  /** Lines of the log that are below the screen; 0 follows the newest. */
  logOffset = 0
  readonly phases: SeenPhase[] = []
  readonly log: LogEntry[] = []
  readonly #series = new Map<SeriesName, number[]>()
  #sampledAt = -Infinity
  /** The one that the series are of. */
  #phase = ''

  series(name: SeriesName): readonly number[] {
    return this.#series.get(name) ?? []
  }

  update(s: LiveSnapshot, nowMs: number): void {
    const before = this.snapshot
    // While files are written no phase counts any more: its last numbers stay.
    this.snapshot = isAfterwards(s) && s.phase === '' && before ? { ...before, ...AT_REST, stage: s.stage } : s
    const phase = `${s.sweep?.done} ${s.phase}`
    if (!isAfterwards(s) && phase !== this.#phase) {
      this.#phase = phase
      this.#series.clear()
      this.#sampledAt = -Infinity
    }
    this.#seePhase(s)
    if (sending(s) && nowMs - this.#sampledAt >= SAMPLE_MS * 0.9) this.#sample(s, nowMs)
  }

  add(level: Level, message: string, time: Date): void {
    for (const text of message.split('\n')) this.log.push({ time, level, message: clean(text).slice(0, MESSAGE_LENGTH) })
    if (this.logOffset > 0) this.logOffset += 1
    if (this.log.length > LOG_LINES) this.log.splice(0, this.log.length - LOG_LINES)
  }

  #seePhase(s: LiveSnapshot): void {
    const { share, text } = progressOf(s)
    if (isAfterwards(s)) {
      for (const phase of this.phases) phase.over = true
      return
    }
    const name = s.stage === 'preparing' ? (s.preparing?.what ?? 'preparing') : s.phase
    let phase = this.phases.at(-1)
    if (phase?.name !== name) {
      if (phase) phase.over = true
      phase = { name, share, text, seconds: 0, over: false }
      this.phases.push(phase)
      if (this.phases.length > 50) this.phases.shift()
    }
    Object.assign(phase, { share, text, seconds: s.elapsedSeconds })
  }

  #sample(s: LiveSnapshot, nowMs: number): void {
    this.#sampledAt = nowMs
    this.#push('tokens', s.outputTokensPerSecond)
    this.#push('rate', s.achievedPerSecond)
    this.#push('inFlight', s.inFlight)
    for (const name of ['ttft', 'itl', 'latency', 'lag'] as const) this.#push(name, s.recent ? s.recent[name] : s.latency[name]?.p50)
  }

  #push(name: SeriesName, value: number | undefined): void {
    if (value === undefined) return
    const values = this.#series.get(name) ?? []
    values.push(value)
    if (values.length > SAMPLES) values.shift()
    this.#series.set(name, values)
  }
}
