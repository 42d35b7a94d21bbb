import type { LoadPlan, PhaseInfo, PhaseModel, Steps } from '@aiperf/core'
import { createArrivalRing } from '../shared/arrivals.js'
import { PHASE, RUN, STATE } from '../shared/words.js'
import type { FromPacer, FromWorker } from './messages.js'
import { CompilerRest } from './compiler.js'
import { mostSessions } from './open-files.js'
import type { Threads } from './threads.js'

/** Time between the order to go and the first arrival of a timed phase, so that all threads have read it. */
const LEAD_NS = 3e6
/** How long cancelled requests may take to say so. */
const CANCEL_DRAIN_MS = 10_000

export type EndedBy = 'requests' | 'sessions' | 'duration' | 'schedule' | 'interrupted' | 'error-threshold' | 'failed' | 'adaptive'

export interface PhaseRunSetup {
  index: number
  model: PhaseModel
  plan: LoadPlan
  threads: Threads
  runWords: Int32Array
  words: Int32Array
  now(): number
}

/** Plays one phase: limits, stop conditions, drain, grace. Touches no request. */
export class PhaseRun {
  readonly info: PhaseInfo
  stage: 'sending' | 'grace' = 'sending'
  readonly #setup: PhaseRunSetup
  readonly #timers = new Set<NodeJS.Timeout>()
  #endedBy: EndedBy | undefined
  #over!: () => void
  readonly #done = new Promise<void>((resolve) => (this.#over = resolve))
  #allSent!: () => void
  readonly #sent = new Promise<void>((resolve) => (this.#allSent = resolve))
  #armed = 0
  #allArmed!: () => void
  readonly #compilerRest: CompilerRest

  constructor(setup: PhaseRunSetup, profilingIndex: number | undefined) {
    this.#setup = setup
    this.#compilerRest = new CompilerRest(setup.threads)
    const { model, index } = setup
    this.info = {
      index,
      name: model.name,
      kind: model.kind,
      ...(profilingIndex === undefined ? {} : { profilingIndex }),
      mode: model.mode,
      options: model.options,
      startNs: 0,
      endNs: 0,
      counts: { due: 0, sent: 0, skipped: 0, unsent: 0, completed: 0, errors: 0, cancelled: 0, censored: 0, retried: 0, sessionsStarted: 0, sessionsCompleted: 0 },
      wasCancelled: false,
      endedBy: '',
    }
  }

  get timed(): boolean {
    return this.#setup.plan.arrivals.kind === 'timed'
  }

  /** Requests, sessions and seconds at which the phase ends. */
  get expected(): { requests?: number; sessions?: number; seconds?: number } {
    const { plan, model } = this.#setup
    const requests = plan.totals?.requests ?? model.requests
    const sessions = plan.totals?.sessions ?? model.sessions
    return {
      ...(requests === undefined ? {} : { requests }),
      ...(sessions === undefined ? {} : { sessions }),
      ...(model.durationSeconds === undefined ? {} : { seconds: model.durationSeconds }),
    }
  }

  /** Has every thread get ready, so that the first arrivals meet no set-up work. */
  async arm(): Promise<void> {
    const { index, threads, words } = this.#setup
    const { requests, sessions } = this.expected
    words[PHASE.requestLimit] = requests ?? -1
    words[PHASE.sessionLimit] = sessions ?? -1
    const armed = new Promise<void>((resolve) => (this.#allArmed = resolve))
    const ring = this.timed ? createArrivalRing() : undefined
    for (const worker of threads.workers) worker.post({ type: 'arm', phase: index, ...(ring ? { ring } : {}) })
    if (ring) this.#tellPacer({ type: 'arm', phase: index, ring })
    await armed
  }

  /** Starts; resolves when all was sent (`sent`) and when all has returned (`done`). */
  go(): { sent: Promise<void>; done: Promise<PhaseInfo> } {
    const { index, threads, words, now, model, plan } = this.#setup
    const { info } = this
    // Asks the system, so before the clock of the phase runs.
    const sessions = plan.limits.sessions ?? [{ atNs: 0, value: this.timed ? (mostSessions() ?? -1) : 1 }]
    if (this.timed && model.kind === 'profiling') this.#compilerRest.begin()
    info.startNs = now() + (this.timed ? LEAD_NS : 0)
    this.#follow(sessions, RUN.slotLimit)
    this.#follow(plan.limits.prefill, RUN.prefillLimit)
    Atomics.store(words, PHASE.state, STATE.sending)
    for (const worker of threads.workers) worker.post({ type: 'go', phase: index, startNs: info.startNs })
    if (this.timed) this.#tellPacer({ type: 'go', phase: index, startNs: info.startNs })
    if (model.durationSeconds !== undefined) {
      this.#at(info.startNs + model.durationSeconds * 1e9, () => this.#stopSending('duration'))
      if (model.graceSeconds !== null)
        this.#at(info.startNs + (model.durationSeconds + model.graceSeconds) * 1e9, () => {
          // Without a grace both timers are due at once, in any order: what is cancelled must not be replaced.
          this.#stopSending('duration')
          this.#cancelAll()
        })
    }
    if (model.failedRequestThreshold !== undefined) this.#watchFailures(model.failedRequestThreshold)
    return { sent: this.#sent, done: this.#finish() }
  }

  async #finish(): Promise<PhaseInfo> {
    await this.#done
    this.#compilerRest.end()
    for (const timer of this.#timers) clearTimeout(timer)
    const { words, now, index } = this.#setup
    Atomics.store(words, PHASE.state, STATE.cancelled)
    if (this.timed) this.#tellPacer({ type: 'stop', phase: index })
    this.info.endNs = now()
    this.info.endedBy = this.#endedBy ?? this.#reason()
    this.count()
    return this.info
  }

  /** Fills the counters from the shared words. */
  count(): void {
    const { words } = this.#setup
    const at = (word: number): number => Atomics.load(words, word)
    const { counts } = this.info
    counts.sent = at(PHASE.sent)
    const dropped = at(PHASE.dropped)
    counts.due = this.timed ? at(PHASE.due) : counts.sent
    counts.skipped = at(PHASE.skipped)
    counts.unsent = this.timed ? Math.max(0, at(PHASE.published) - at(PHASE.claimed)) + dropped : 0
    counts.cancelled = at(PHASE.cancelled)
    counts.censored = at(PHASE.censored)
    counts.errors = at(PHASE.failed)
    counts.completed = at(PHASE.recorded) - counts.censored
    counts.retried = at(PHASE.retried)
    counts.sessionsStarted = this.timed ? at(PHASE.claimed) - dropped : Math.max(0, at(PHASE.sessions))
    counts.sessionsCompleted = at(PHASE.sessionsDone) - dropped
  }

  hear(message: FromWorker | FromPacer): void {
    if (message.type === 'armed') {
      this.#armed++
      if (this.#armed === this.#setup.threads.workers.length + (this.timed ? 1 : 0)) this.#allArmed()
    } else if (message.type === 'exhausted') {
      this.#allSent()
      // Turns that wait for an arrival wait in vain.
      if (this.#setup.plan.nextTurn.kind === 'takes-arrival') this.#settle()
      this.#check()
    } else if (message.type === 'maybe-over') this.#check()
  }

  /** The person asked to stop: nothing more is sent, what is in flight is kept as unfinished. */
  interrupt(why: EndedBy = 'interrupted'): void {
    this.info.wasCancelled = why === 'interrupted'
    this.#stopSending(why)
    this.#cancelAll()
  }

  /** Sends nothing more; what is in flight may finish. */
  stop(why: EndedBy): void {
    this.#stopSending(why)
  }

  #stopSending(why: EndedBy): void {
    const { words } = this.#setup
    if (Atomics.load(words, PHASE.state) !== STATE.sending) return
    this.#endedBy = why
    this.stage = 'grace'
    Atomics.store(words, PHASE.state, STATE.draining)
    this.#wakePacer()
    this.#settle()
    this.#allSent()
    this.#check()
  }

  #settle(): void {
    for (const worker of this.#setup.threads.workers) worker.post({ type: 'settle', phase: this.#setup.index })
  }

  #cancelAll(): void {
    for (const worker of this.#setup.threads.workers) worker.post({ type: 'cancel', phase: this.#setup.index })
    const timer = setTimeout(() => this.#over(), CANCEL_DRAIN_MS)
    this.#timers.add(timer)
  }

  #check(): void {
    const { words } = this.#setup
    if (!this.#noMore()) return
    this.#allSent()
    if (Atomics.load(words, PHASE.open) === 0) this.#over()
  }

  #noMore(): boolean {
    const { words } = this.#setup
    const at = (word: number): number => Atomics.load(words, word)
    if (at(PHASE.state) !== STATE.sending) return true
    if (this.timed) return at(PHASE.exhausted) === 1 && at(PHASE.claimed) >= at(PHASE.published)
    const reached = (limit: number, used: number): boolean => at(limit) >= 0 && at(used) >= at(limit)
    return reached(PHASE.requestLimit, PHASE.requests) || reached(PHASE.sessionLimit, PHASE.sessions)
  }

  #reason(): EndedBy {
    const { plan, words } = this.#setup
    if (plan.totals) return 'schedule'
    const limit = Atomics.load(words, PHASE.requestLimit)
    return limit >= 0 && Atomics.load(words, PHASE.requests) >= limit ? 'requests' : 'sessions'
  }

  /** Applies a limit over time. */
  #follow(steps: Steps | undefined, word: number): void {
    const { runWords, threads } = this.#setup
    const set = (value: number): void => {
      Atomics.store(runWords, word, value)
      for (const worker of threads.workers) worker.post({ type: 'refill' })
    }
    Atomics.store(runWords, word, steps?.[0]?.value ?? -1)
    let i = 1
    const next = (): void => {
      if (!steps || i >= steps.length) return
      const { atNs, value } = steps[i++]!
      this.#at(this.info.startNs + atNs, () => {
        set(value)
        next()
      })
    }
    next()
  }

  /** Sets a limit now: adaptive control. */
  setLimit(word: number, value: number): void {
    Atomics.store(this.#setup.runWords, word, value)
    for (const worker of this.#setup.threads.workers) worker.post({ type: 'refill' })
  }

  #watchFailures(threshold: number): void {
    const { words, model } = this.#setup
    const armedAt = Math.max(10, Number((model.options as { concurrency?: number }).concurrency ?? 1))
    const timer = setInterval(() => {
      const recorded = Atomics.load(words, PHASE.recorded)
      if (recorded >= armedAt && Atomics.load(words, PHASE.failed) / recorded > threshold) this.interrupt('error-threshold')
    }, 100)
    this.#timers.add(timer)
  }

  #at(ns: number, work: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        work()
      },
      Math.max(0, (ns - this.#setup.now()) / 1e6),
    )
    this.#timers.add(timer)
  }

  #tellPacer(message: Parameters<Threads['tellPacer']>[0]): void {
    this.#setup.threads.tellPacer(message)
  }

  #wakePacer(): void {
    Atomics.add(this.#setup.runWords, RUN.pacerWake, 1)
    Atomics.notify(this.#setup.runWords, RUN.pacerWake)
  }
}
