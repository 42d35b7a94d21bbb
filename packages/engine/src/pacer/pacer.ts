import type { Arrival, LoadPlan } from '@aiperf/core'
import { ORDER, PACE, type ArrivalRing, type OrderRing } from '../shared/arrivals.js'
import { DueHeap } from '../shared/heap.js'
import { PHASE, RUN, STATE, takeBelow, takeNext, takeOne, takeSlot, WORKER } from '../shared/words.js'

/** What the pacer knows of a worker. */
export interface PacedWorker {
  words: Int32Array
  orders: OrderRing
  /** Wakes the worker's event loop. */
  notify(): void
}

export interface PacedPhase {
  index: number
  plan: LoadPlan
  words: Int32Array
  ring: ArrivalRing
  startNs: number
  /** Nothing that is due from then on is sent; Infinity without an end. */
  endNs: number
  /** Whether an arrival always starts a session: none has later turns that might take it. */
  independent: boolean
  /** Called once, when no further arrival comes. */
  exhausted(): void
}

interface Timed extends PacedPhase {
  arrivals: { next(): Arrival | undefined }
  pending: Arrival | undefined
}

/**
 * How long before a due time its worker is woken, at most: a thread that slept is on its core some 100 µs after it was called,
 * twice in a row here. The worker looks for answers until the time has come.
 */
const MOST_AHEAD_NS = 400_000
/** No more than this share of the time between two events, for a worker that waits awake takes the core from others. */
const SHARE_AHEAD = 0.4
/** How far ahead arrivals are handed out where nothing that happens until then can change it: a busy worker needs no call. */
const HAND_AHEAD_NS = 5e6
/** Slots that must be free for that: they are taken when an arrival is handed out. */
const FREE_SLOTS = 64

/**
 * Hands arrivals to workers shortly before their due times and calls workers that sleep, for these and for due times of their
 * own. Lives in a thread that does nothing else, and sleeps on a shared word between events.
 */
export class Pacer {
  readonly #now: () => number
  readonly #run: Int32Array
  readonly #workers: readonly PacedWorker[]
  readonly #pace: Float64Array
  readonly #phases = new Map<number, Timed>()
  /** Workers to be called, by the due time of what they were handed. */
  readonly #calls = new DueHeap<number>()
  /** How long ahead of a due time a worker is called, by the mean time between events, and the due time of the last. */
  #aheadNs = 0
  #meanGapNs = MOST_AHEAD_NS / SHARE_AHEAD
  #lastDueNs = 0

  constructor(setup: { now(): number; runWords: Int32Array; workers: readonly PacedWorker[]; pace: Float64Array }) {
    this.#now = setup.now
    this.#run = setup.runWords
    this.#workers = setup.workers
    this.#pace = setup.pace
  }

  add(phase: PacedPhase): void {
    const { arrivals } = phase.plan
    if (arrivals.kind !== 'timed') return
    this.#phases.set(phase.index, { ...phase, arrivals, pending: arrivals.next() })
  }

  remove(index: number): void {
    this.#phases.delete(index)
  }

  /** Does what is due now or soon; returns when to look again, ns, Infinity when nothing is known. */
  step(): number {
    const pace = this.#pace
    const count = this.#workers.length
    const nowNs = this.#now()
    let nextNs = Infinity
    for (const phase of [...this.#phases.values()]) nextNs = Math.min(nextNs, this.#arrivals(phase, nowNs))
    pace[PACE.arrival(count)] = nextNs
    for (let w = 0; w < count; w++) {
      const due = pace[w]!
      if (due <= nowNs + this.#aheadNs) {
        pace[w] = Infinity
        this.#saw(due)
        this.#calls.push(due, w)
      } else if (due < nextNs) nextNs = due
    }
    while (this.#calls.firstDue <= nowNs + this.#aheadNs) {
      const dueNs = this.#calls.firstDue
      const w = this.#calls.pop()!
      pace[PACE.called(count, w)] = dueNs
      this.#call(this.#workers[w]!)
    }
    nextNs = Math.min(nextNs, this.#calls.firstDue)
    pace[PACE.next(count)] = nextNs
    pace[PACE.ahead(count)] = this.#aheadNs
    return nextNs - this.#aheadNs
  }

  #saw(dueNs: number): void {
    this.#meanGapNs += (Math.max(0, dueNs - this.#lastDueNs) - this.#meanGapNs) / 16
    this.#lastDueNs = dueNs
    this.#aheadNs = Math.min(MOST_AHEAD_NS, this.#meanGapNs * SHARE_AHEAD)
  }

  /** Sleeps until `wakeNs`, or until somebody changes the wake word from `seen`. */
  sleep(wakeNs: number, seen: number): void {
    const leftNs = wakeNs - this.#now()
    if (leftNs > 0) Atomics.wait(this.#run, RUN.pacerWake, seen, leftNs === Infinity ? 60_000 : leftNs / 1e6)
  }

  /** How far ahead arrivals of this phase are handed out. */
  #horizonNs(phase: Timed): number {
    if (!phase.independent) return this.#aheadNs
    const limit = Atomics.load(this.#run, RUN.slotLimit)
    return limit < 0 || limit - Atomics.load(this.#run, RUN.slots) > FREE_SLOTS ? HAND_AHEAD_NS : this.#aheadNs
  }

  #arrivals(phase: Timed, nowNs: number): number {
    const { words } = phase
    for (;;) {
      const { pending } = phase
      if (pending === undefined || Atomics.load(words, PHASE.state) !== STATE.sending) return this.#exhaust(phase)
      const dueNs = phase.startNs + pending.dueNs
      // What is due at the end or after it is not sent; until then the phase goes on.
      if (dueNs >= phase.endNs) return Infinity
      if (dueNs > nowNs + this.#horizonNs(phase)) return dueNs
      if (pending.pause) {
        // A plan that may change looks only so far ahead: ask it again.
        phase.pending = phase.arrivals.next()
        continue
      }
      this.#saw(dueNs)
      const taken = this.#publish(phase, pending, dueNs)
      if (taken === 'full') return nowNs + 1e6
      if (taken === 'over') return this.#exhaust(phase)
      phase.pending = phase.arrivals.next()
    }
  }

  #exhaust(phase: Timed): number {
    this.#phases.delete(phase.index)
    Atomics.store(phase.words, PHASE.exhausted, 1)
    phase.exhausted()
    return Infinity
  }

  #publish(phase: Timed, arrival: Arrival, dueNs: number): 'sent' | 'full' | 'over' {
    const { words, ring, plan } = phase
    const published = Atomics.load(words, PHASE.published)
    if (published - Atomics.load(words, PHASE.claimed) >= ring.capacity) return 'full'
    const credit = takeBelow(words, PHASE.requests, Atomics.load(words, PHASE.requestLimit))
    if (credit < 0) return 'over'
    if (plan.nextTurn.kind === 'takes-arrival' && this.#continueSession(phase, dueNs, credit)) {
      Atomics.add(words, PHASE.due, 1)
      return 'sent'
    }
    if (takeBelow(words, PHASE.sessions, Atomics.load(words, PHASE.sessionLimit)) < 0) {
      Atomics.sub(words, PHASE.requests, 1)
      // Later turns of open sessions still need ticks; without any the phase is over.
      return plan.nextTurn.kind === 'takes-arrival' && Atomics.load(words, PHASE.open) > 0 ? 'sent' : 'over'
    }
    Atomics.add(words, PHASE.due, 1)
    const slot = takeSlot(this.#run)
    if (!slot && plan.overload === 'skip') {
      Atomics.sub(words, PHASE.requests, 1)
      Atomics.sub(words, PHASE.sessions, 1)
      Atomics.add(words, PHASE.skipped, 1)
      return 'sent'
    }
    const at = published % ring.capacity
    ring.dueNs[at] = dueNs
    ring.session[at] = arrival.session ?? -1
    ring.firstTurn[at] = arrival.firstTurn ?? 0
    ring.turns[at] = arrival.turns ?? 0
    ring.user[at] = arrival.user ?? -1
    Atomics.store(words, PHASE.published, published + 1)
    // A worker may free its slot between the look above and the publication, and see no arrival: look once more.
    if (slot || takeSlot(this.#run)) this.#handOut(phase)
    return 'sent'
  }

  #handOut(phase: Timed): void {
    // Open before it is claimed: a phase whose arrivals are all claimed and none is open would be over.
    Atomics.add(phase.words, PHASE.open, 1)
    const claimed = takeNext(phase.words, PHASE.claimed, PHASE.published)
    if (claimed < 0) {
      Atomics.sub(phase.words, PHASE.open, 1)
      Atomics.sub(this.#run, RUN.slots, 1)
      return
    }
    const at = claimed % phase.ring.capacity
    phase.ring.claimedNs[at] = this.#now()
    this.#order(this.#leastLoaded(), ORDER.start, phase.index, claimed, phase.ring.dueNs[at]!)
  }

  #continueSession(phase: Timed, dueNs: number, credit: number): boolean {
    let best = -1
    let most = 0
    for (let w = 0; w < this.#workers.length; w++) {
      const ready = Atomics.load(this.#workers[w]!.words, WORKER.ready)
      if (ready > most) {
        most = ready
        best = w
      }
    }
    if (best < 0 || !takeOne(this.#workers[best]!.words, WORKER.ready)) return false
    this.#order(best, ORDER.continue, phase.index, credit, dueNs)
    return true
  }

  #turn = 0

  /** The worker with the fewest sessions, counting orders it has not read; ties go round. */
  #leastLoaded(): number {
    const count = this.#workers.length
    if (count === 1) return 0
    let best = 0
    let least = Infinity
    this.#turn = (this.#turn + 1) % count
    for (let i = 0; i < count; i++) {
      const w = (this.#turn + i) % count
      const { words } = this.#workers[w]!
      const load = Atomics.load(words, WORKER.sessions) + ((Atomics.load(words, WORKER.ringWritten) - Atomics.load(words, WORKER.ringRead)) | 0)
      if (load < least) {
        least = load
        best = w
      }
    }
    return best
  }

  #order(worker: number, kind: number, phase: number, value: number, dueNs: number): void {
    const { words, orders } = this.#workers[worker]!
    const written = Atomics.load(words, WORKER.ringWritten)
    // A ring that is full means a worker far behind: wait for it rather than lose an order.
    while (((written - Atomics.load(words, WORKER.ringRead)) | 0) >= orders.capacity) {
      this.#call(this.#workers[worker]!)
      Atomics.wait(this.#run, RUN.pacerWake, Atomics.load(this.#run, RUN.pacerWake), 1)
    }
    const at = (written >>> 0) % orders.capacity
    orders.kind[at] = kind
    orders.phase[at] = phase
    orders.value[at] = value
    orders.dueNs[at] = dueNs
    Atomics.store(words, WORKER.ringWritten, (written + 1) | 0)
    this.#calls.push(dueNs, worker)
  }

  #call({ words, notify }: PacedWorker): void {
    if (Atomics.exchange(words, WORKER.awake, 1) === 0) notify()
  }
}
