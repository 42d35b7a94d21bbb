import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Adaptation, Adaptive, JsonObject } from '@aiperf/core'
import { liveQuantiles, type LiveMetric, type LivePhase } from '../recorder/live.js'
import { RUN } from '../shared/words.js'
import type { PlainWindow } from './messages.js'
import type { PhaseRun } from './phase-run.js'

const TAGS: Readonly<Record<LiveMetric, string>> = { ttft: 'time_to_first_token', itl: 'inter_token_latency', latency: 'request_latency', lag: 'schedule_lag' }

export interface AdaptSetup {
  run: PhaseRun
  adapt: Adaptive
  now(): number
  /** Folder of the phase's files. */
  folder: string
  /** Asks every recorder for its counts since the last call. */
  collect(countFromNs: number): Promise<LivePhase[]>
  /** Where the plan's arrivals change: the pacer assesses its own copy of the plan. */
  askPacer(window: PlainWindow): Promise<{ adaptation: Adaptation; summary: JsonObject }>
}

/** Assesses windows of a running phase and turns its control variable. Writes every event as it comes. */
export class AdaptiveControl {
  readonly #setup: AdaptSetup
  #timer: NodeJS.Timeout | undefined
  #index = 0
  #startNs: number
  #countFromNs = 0
  readonly #events: string

  constructor(setup: AdaptSetup) {
    this.#setup = setup
    this.#startNs = setup.run.info.startNs
    mkdirSync(setup.folder, { recursive: true })
    this.#events = join(setup.folder, 'adaptive_scale_events.jsonl')
    writeFileSync(this.#events, '')
    void setup.collect(0)
    this.#schedule()
  }

  #schedule(): void {
    const { adapt, now } = this.#setup
    const dueNs = this.#startNs + adapt.windowNs
    this.#timer = setTimeout(() => void this.#assess(), Math.max(0, (dueNs - now()) / 1e6))
  }

  async #assess(): Promise<void> {
    const { adapt, now, run, askPacer, collect } = this.#setup
    const window = plainWindow(await collect(this.#countFromNs), this.#index++, this.#startNs, now())
    this.#startNs = window.endNs
    const own = adapt.variable === 'sessions' || adapt.variable === 'prefill'
    const { adaptation, summary } = own
      ? { adaptation: adapt.assess({ ...window, value: (tag, stat) => window.values[`${tag}/${stat}`] }), summary: adapt.summary() }
      : await askPacer(window)
    appendFileSync(this.#events, `${JSON.stringify(adaptation.event)}\n`)
    writeFileSync(join(this.#setup.folder, 'adaptive_scale_summary.json'), JSON.stringify(summary, undefined, 2))
    if (adaptation.countFromNs !== undefined) this.#countFromNs = adaptation.countFromNs
    if (own && adaptation.value !== undefined) run.setLimit(adapt.variable === 'sessions' ? RUN.slotLimit : RUN.prefillLimit, adaptation.value)
    if (adaptation.stop) run.stop('adaptive')
    else this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** Window counts of all recorders as plain values by `tag/stat`, in display units. */
function plainWindow(parts: readonly LivePhase[], index: number, startNs: number, endNs: number): PlainWindow {
  const sum = (of: (part: LivePhase) => number): number => parts.reduce((all, part) => all + of(part), 0)
  const recorded = sum((p) => p.completed)
  const errors = sum((p) => p.failed)
  const seconds = (endNs - startNs) / 1e9
  const values: Record<string, number> = {
    'request_throughput/avg': (recorded - errors) / seconds,
    'output_token_throughput/avg': sum((p) => p.outputTokens) / seconds,
  }
  if (recorded > 0) values['request_error_rate/avg'] = (errors / recorded) * 100
  for (const [metric, tag] of Object.entries(TAGS) as [LiveMetric, string][]) {
    const quantiles = liveQuantiles(parts.map((p) => p.histograms[metric]))
    for (const [stat, value] of Object.entries(quantiles ?? {})) values[`${tag}/${stat}`] = value
  }
  return { index, startNs, endNs, completed: recorded - errors, errors, values }
}
