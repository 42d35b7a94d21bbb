import type { Arrival, LoadPlan } from '@aiperf/core'
import { ORDER, type ArrivalRing, type OrderRing } from '../shared/arrivals.js'
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
  /** Called once, when no further arrival comes. */
  exhausted(): void
}

interface Timed extends PacedPhase {
  arrivals: { next(): Arrival | undefined }
  pending: Arrival | undefined
}

/**
 * Publishes arrivals at their due times and hands them to workers; wakes workers for due times of their own. Lives in a
 * thread that does nothing else, and sleeps on a shared word between events.
 */
export class Pacer {
  readonly #now: () => number
  readonly #run: Int32Array
  readonly #workers: readonly PacedWorker[]
  readonly #wakeAt: Float64Array
  readonly #phases = new Map<number, Timed>()
  readonly #spinNs: number

  constructor(setup: { now(): number; runWords: Int32Array; workers: readonly PacedWorker[]; wakeAt: Float64Array; spinNs: number }) {
    this.#now = setup.now
    this.#run = setup.runWords
    this.#workers = setup.workers
    this.#wakeAt = setup.wakeAt
    this.#spinNs = setup.spinNs
  }

  add(phase: PacedPhase): void {
    const { arrivals } = phase.plan
    if (arrivals.kind !== 'timed') return
    this.#phases.set(phase.index, { ...phase, arrivals, pending: arrivals.next() })
  }

  remove(index: number): void {
    this.#phases.delete(index)
  }

  /** Does what is due now; returns when the next thing is due, ns, Infinity when nothing is known. */
  step(): number {
    let nextNs = Infinity
    const nowNs = this.#now()
    for (const phase of [...this.#phases.values()]) {
      const due = this.#arrivals(phase, nowNs)
      if (due < nextNs) nextNs = due
    }
    for (let w = 0; w < this.#workers.length; w++) {
      const due = this.#wakeAt[w]!
      if (due <= nowNs) {
        this.#wakeAt[w] = Infinity
        this.#order(w, ORDER.wake, 0, 0, due)
      } else if (due < nextNs) nextNs = due
    }
    return nextNs
  }

  /** Sleeps until `dueNs`, or until somebody changes the wake word from `seen`. */
  sleep(dueNs: number, seen: number): void {
    // Behind the workers' own: a worker that has the core can tell that something is due.
    this.#wakeAt[this.#workers.length] = dueNs
    const leftNs = dueNs - this.#now()
    if (leftNs > this.#spinNs) {
      const ms = dueNs === Infinity ? 60_000 : (leftNs - this.#spinNs) / 1e6
      if (Atomics.wait(this.#run, RUN.pacerWake, seen, ms) !== 'timed-out') return
    }
    while (this.#now() < dueNs) if (Atomics.load(this.#run, RUN.pacerWake) !== seen) return
  }

  #arrivals(phase: Timed, nowNs: number): number {
    const { words } = phase
    for (;;) {
      const { pending } = phase
      if (pending === undefined || Atomics.load(words, PHASE.state) !== STATE.sending) return this.#exhaust(phase)
      const dueNs = phase.startNs + pending.dueNs
      if (dueNs > nowNs) return dueNs
      if (pending.pause) {
        // A plan that may change looks only so far ahead: ask it again.
        phase.pending = phase.arrivals.next()
        continue
      }
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
    const claimed = takeNext(phase.words, PHASE.claimed, PHASE.published)
    if (claimed < 0) {
      Atomics.sub(this.#run, RUN.slots, 1)
      return
    }
    phase.ring.claimedNs[claimed % phase.ring.capacity] = this.#now()
    this.#order(this.#leastLoaded(), ORDER.start, phase.index, claimed, 0)
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
    const { words, orders, notify } = this.#workers[worker]!
    const written = Atomics.load(words, WORKER.ringWritten)
    // A ring that is full means a worker far behind: wait for it rather than lose an order.
    while (((written - Atomics.load(words, WORKER.ringRead)) | 0) >= orders.capacity) Atomics.wait(this.#run, RUN.pacerWake, Atomics.load(this.#run, RUN.pacerWake), 1)
    const at = (written >>> 0) % orders.capacity
    orders.kind[at] = kind
    orders.phase[at] = phase
    orders.value[at] = value
    orders.dueNs[at] = dueNs
    Atomics.store(words, WORKER.ringWritten, (written + 1) | 0)
    if (Atomics.exchange(words, WORKER.awake, 1) === 0) notify()
  }
}
