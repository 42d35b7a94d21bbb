import { PHASE, RUN, STATE, takeBelow, takeNext, takeSlot, WORKER } from '../shared/words.js'
import type { Lookout } from './lookout.js'
import { createSession, type LiveSession } from './session.js'
import type { WorkerPhase, WorkerSetup } from './setup.js'

/** Starts sessions: as many as slots, credits and arrivals allow. */
export class SessionStarts {
  readonly #setup: WorkerSetup
  readonly #lookout: Lookout<{ session: LiveSession; credit: number }>
  readonly #send: (session: LiveSession, credit: number) => void
  #starting = false
  #again = false

  constructor(setup: WorkerSetup, lookout: Lookout<{ session: LiveSession; credit: number }>, send: (session: LiveSession, credit: number) => void) {
    this.#setup = setup
    this.#lookout = lookout
    this.#send = send
  }

  /** Starts new sessions as far as slots, credits and arrivals allow. */
  more(phase: WorkerPhase): void {
    if (this.#starting) {
      this.#again = true
      return
    }
    this.#starting = true
    do {
      this.#again = false
      if (phase.arrivals === 'asap') while (this.#asap(phase));
      else while (this.#backlog(phase));
    } while (this.#again)
    this.#starting = false
  }

  #asap(phase: WorkerPhase): boolean {
    const { runWords, ownWords, now } = this.#setup
    const { words } = phase
    if (Atomics.load(words, PHASE.state) !== STATE.sending) return false
    if (Atomics.load(ownWords, WORKER.sessions) >= phase.share() || this.#setup.recorderIsBehind()) return false
    if (!takeSlot(runWords)) return false
    const number = takeBelow(words, PHASE.sessions, Atomics.load(words, PHASE.sessionLimit))
    const credit = number < 0 ? -1 : takeBelow(words, PHASE.requests, Atomics.load(words, PHASE.requestLimit))
    if (credit < 0) {
      if (number >= 0) Atomics.sub(words, PHASE.sessions, 1)
      Atomics.sub(runWords, RUN.slots, 1)
      return false
    }
    const session = createSession(phase, number, this.#setup.runHex)
    session.conversation = phase.sampler.at(number)
    session.dueNs = session.claimedNs = now()
    Atomics.add(words, PHASE.open, 1)
    this.#begin(session, 0)
    this.#send(session, credit)
    // The last credit: a seamless phase that follows may begin.
    if (credit + 1 === Atomics.load(words, PHASE.requestLimit) || number + 1 === Atomics.load(words, PHASE.sessionLimit)) this.#setup.maybeOver(phase.index)
    return true
  }

  /** An arrival that came due while no slot was free. */
  #backlog(phase: WorkerPhase): boolean {
    const { runWords } = this.#setup
    const { words } = phase
    if (Atomics.load(words, PHASE.state) !== STATE.sending) return false
    if (Atomics.load(words, PHASE.claimed) >= Atomics.load(words, PHASE.published)) return false
    if (!takeSlot(runWords)) return false
    Atomics.add(words, PHASE.open, 1)
    const arrival = takeNext(words, PHASE.claimed, PHASE.published)
    if (arrival < 0) {
      Atomics.sub(words, PHASE.open, 1)
      Atomics.sub(runWords, RUN.slots, 1)
      return false
    }
    this.arrival(phase, arrival, this.#setup.now())
    // Published ahead of time, it may not be due yet, and the pacer does not call for it.
    this.#lookout.look(phase.ring!.dueNs[arrival % phase.ring!.capacity])
    return true
  }

  /** Starts the session of an arrival, which is counted as open already. */
  arrival(phase: WorkerPhase, arrival: number, claimedNs: number): void {
    const ring = phase.ring!
    const at = arrival % ring.capacity
    const session = createSession(phase, arrival, this.#setup.runHex)
    const given = ring.session[at]!
    session.conversation = given >= 0 ? given : phase.sampler.at(arrival)
    session.dueNs = ring.dueNs[at]!
    // Handed out ahead of time, it counts as claimed when it is due.
    session.claimedNs = Math.max(claimedNs, session.dueNs)
    if (ring.user[at]! >= 0) session.user = ring.user[at]!
    session.turn = ring.firstTurn[at]!
    this.#begin(session, ring.turns[at]!)
    this.#lookout.sendWhenDue(session.dueNs, { session, credit: arrival })
  }

  #begin(session: LiveSession, turns: number): void {
    const { store, urlStrategy, ownWords } = this.#setup
    const all = store.turns(session.conversation)
    session.firstTurn = session.turn
    session.turns = turns > 0 ? Math.min(session.turn + turns, all) : all
    session.url = urlStrategy.choose(session.number)
    Atomics.add(ownWords, WORKER.sessions, 1)
  }
}
