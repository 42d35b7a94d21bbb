import { join } from 'node:path'
import type { Adaptation, JsonObject, LoadPlan, PhaseInfo, RunModel } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { LivePhase } from '../recorder/live.js'
import { serverProfiler, type HookInput } from '../server/hooks.js'
import type { Store } from '../store/reader.js'
import type { Telemetry } from '../telemetry/index.js'
import { AdaptiveControl } from './adapt.js'
import type { DatasetSizes, FromPacer, FromWorker, PlainWindow } from './messages.js'
import { PhaseRun, type EndedBy } from './phase-run.js'
import { createPlan } from './plan.js'
import type { Threads } from './threads.js'

export interface PhasesSetup {
  host: Host
  model: RunModel
  seed: number
  threads: Threads
  runWords: Int32Array
  phaseWords: readonly Int32Array[]
  directory: string
  now(): number
  telemetry: Telemetry
  hooks: HookInput
  /** Called when a phase started and when it ended. */
  changed(info: PhaseInfo, state: 'started' | 'ended'): void
}

/** Plays the phases of a run in order. */
export class Phases {
  readonly runs: PhaseRun[] = []
  readonly plans: LoadPlan[] = []
  #current: PhaseRun[] = []
  #stopped = false
  readonly #setup: PhasesSetup
  readonly #windows = new Map<number, (counts: LivePhase) => void>()
  #adapted: ((answer: { adaptation: Adaptation; summary: JsonObject }) => void) | undefined

  constructor(setup: PhasesSetup) {
    this.#setup = setup
  }

  /** The phase that sends now, or the last that did. */
  get current(): PhaseRun | undefined {
    return this.#current.at(-1)
  }

  async plan(store: Store, sizes: DatasetSizes): Promise<void> {
    const { host, model, seed, threads, runWords, phaseWords, now } = this.#setup
    let profiling = 0
    for (const [index, given] of model.phases.entries()) {
      const { plan, phase } = await createPlan(host, model, given, store, sizes, seed)
      this.plans.push(plan)
      this.runs.push(new PhaseRun({ index, model: phase, plan, threads, runWords, words: phaseWords[index]!, now }, phase.kind === 'profiling' ? profiling++ : undefined))
    }
  }

  /** Plays all. A seamless phase begins when the one before has sent everything; others when all has returned. */
  async play(): Promise<void> {
    const { model } = this.#setup
    const ends: Promise<unknown>[] = []
    for (const [i, run] of this.runs.entries()) {
      if (this.#stopped) break
      const seamless = model.phases[i + 1]?.seamless ?? false
      const { sent, ended } = await this.#start(run)
      ends.push(ended)
      await (seamless ? sent : ended)
      if (run.info.endedBy === 'error-threshold') break
    }
    await Promise.all(ends)
  }

  async #start(run: PhaseRun): Promise<{ sent: Promise<void>; ended: Promise<void> }> {
    const { telemetry, hooks, changed } = this.#setup
    const { index, kind } = run.info
    this.#current.push(run)
    await run.arm()
    if (kind === 'profiling') await serverProfiler(hooks, 'start')
    await telemetry.border('start', index)
    const { sent, done } = run.go()
    if (this.#stopped) run.interrupt()
    changed(run.info, 'started')
    const adaptive = this.#adapt(run)
    const ended = done.then(async (info) => {
      adaptive?.stop()
      await telemetry.border('end', index)
      if (kind === 'profiling') await serverProfiler(hooks, 'stop')
      run.count()
      changed(info, 'ended')
      this.#current = this.#current.filter((r) => r !== run)
    })
    ended.catch(() => {})
    return { sent, ended }
  }

  #adapt(run: PhaseRun): AdaptiveControl | undefined {
    const { threads, directory, now } = this.#setup
    const { adapt } = this.plans[run.info.index]!
    if (!adapt) return undefined
    const phase = run.info.index
    return new AdaptiveControl({
      run,
      adapt,
      now,
      folder: join(directory, 'phases', run.info.name),
      collect: (countFromNs) =>
        Promise.all(
          threads.recorders.map(
            (recorder, id) =>
              new Promise<LivePhase>((resolve) => {
                this.#windows.set(id, resolve)
                recorder.post({ type: 'window', phase, countFromNs })
              }),
          ),
        ),
      askPacer: (window: PlainWindow) =>
        new Promise((resolve) => {
          this.#adapted = resolve
          threads.tellPacer({ type: 'window', phase, window })
        }),
    })
  }

  hear(message: FromWorker | FromPacer): void {
    if (message.type === 'adapted') this.#adapted?.(message)
    else if ('phase' in message) this.#current.find((run) => run.info.index === message.phase)?.hear(message)
  }

  hearWindow(recorder: number, counts: LivePhase): void {
    this.#windows.get(recorder)?.(counts)
  }

  /** Ends the phases under way, and starts no other. */
  interrupt(why: EndedBy): void {
    this.#stopped = true
    for (const run of this.#current) run.interrupt(why)
  }
}
