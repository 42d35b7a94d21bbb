import type { TransportFailure } from '@aiperf/core'
import { ResponseReader } from '../decode/response.js'
import { ORDER, PACE } from '../shared/arrivals.js'
import { END_INDEX, STOP, type ArenaWriter } from '../shared/arena.js'
import { PHASE, RUN, STATE, takeBelow, WORKER } from '../shared/words.js'
import { Agenda } from './agenda.js'
import { Flight, type FlightOwner } from './flight.js'
import { BodyGate } from './body-gate.js'
import { Lookout } from './lookout.js'
import { Orders } from './orders.js'
import { PrefillGate } from './prefill-gate.js'
import { PolledSending } from './polled.js'
import { RequestMaker } from './request.js'
import type { LiveSession } from './session.js'
import { SessionStarts } from './starts.js'
import type { WorkerPhase, WorkerSetup } from './setup.js'

/** The data plane of one worker: claims credits, sends, stamps what arrives. */
export class DataPlane implements FlightOwner {
  readonly arena: ArenaWriter
  readonly keepRaw: boolean
  readonly #setup: WorkerSetup
  readonly #maker: RequestMaker
  readonly #phases = new Map<number, WorkerPhase>()
  readonly #flights = new Set<Flight>()
  readonly #idle: Flight[] = []
  /** Sessions whose next turn has a due time of its own. */
  readonly #agenda: Agenda<LiveSession>
  /** Sessions whose next turn waits for an arrival to take, oldest first. */
  #ready: LiveSession[] = []
  readonly #lookout: Lookout<{ session: LiveSession; credit: number }>
  readonly #orders: Orders
  readonly #starts: SessionStarts
  readonly #prefill: PrefillGate<{ session: LiveSession; credit: number }>
  readonly #unmade: BodyGate<LiveSession>

  constructor(setup: WorkerSetup) {
    this.#setup = setup
    this.arena = setup.arena
    this.keepRaw = setup.keepRaw
    this.#maker = new RequestMaker(setup)
    this.#agenda = new Agenda(setup, (session) => this.#sendTurnOrQueue(session))
    this.#lookout = new Lookout(setup, this.#agenda, ({ session, credit }) => this.#sendOrDrop(session, credit))
    this.#starts = new SessionStarts(setup, this.#lookout, (session, credit) => this.#send(session, credit))
    this.#orders = new Orders(setup.orders, setup.ownWords, { hasBegun: (phase) => this.#phases.has(phase), obey: (kind, phase, value, dueNs) => this.#obey(kind, phase, value, dueNs) })
    this.#unmade = new BodyGate(setup.store, setup.id, (session, credit) => this.#send(session, credit))
    this.#prefill = new PrefillGate(setup.runWords, ({ session, credit }, hasWaited) => {
      // Without a schedule a request is due when there is room for it, and the prefill limit is room.
      if (hasWaited && session.phase.arrivals === 'asap') session.dueNs = session.claimedNs = setup.now()
      this.#dispatch(session, credit, true)
    })
  }

  start(phase: WorkerPhase): void {
    this.#phases.set(phase.index, phase)
    this.#starts.more(phase)
  }

  /** Limits rose, or arrivals wait: start what may start. */
  refill(): void {
    for (const phase of this.#phases.values()) this.#starts.more(phase)
    this.#prefill.drain()
  }

  /** No more turns will be sent in this phase: sessions that only wait are over. */
  settle(index: number): void {
    // Arrivals that were handed to waiting turns and not read yet are not in vain.
    this.#orders.readNow()
    const own = (session: LiveSession): boolean => session.phase.index === index
    const waiting = [...this.#ready.filter(own), ...this.#agenda.remove(own), ...this.#unmade.remove(own), ...this.#prefill.remove(({ session }) => own(session)).map(({ session }) => session)]
    this.#ready = this.#ready.filter((session) => !own(session))
    Atomics.store(this.#setup.ownWords, WORKER.ready, this.#ready.length)
    for (const session of waiting) this.#finishSession(session)
    const phase = this.#phases.get(index)
    if (phase) this.#checkOver(phase)
  }

  /** Ends every request of the phase that is in flight, as unfinished. */
  cancel(index: number): void {
    for (const flight of [...this.#flights])
      if (flight.session.phase.index === index) {
        flight.stop = STOP.deadline
        flight.sending?.cancel()
      }
  }

  get inFlight(): number {
    return this.#flights.size
  }

  /** What was handed out ahead of time is due now. */
  #sendOrDrop(session: LiveSession, credit: number): void {
    const { words } = session.phase
    if (Atomics.load(words, PHASE.state) === STATE.sending) return this.#send(session, credit)
    // The phase was ended meanwhile.
    Atomics.add(words, PHASE.dropped, 1)
    this.#finishSession(session)
  }

  #askedAtNs = Infinity

  /**
   * Streams that are paced alike are read in bursts: some hundred reads in one turn of the event loop, for milliseconds. What
   * became due meanwhile is not to wait for their end. `ns`: time of the last read.
   */
  attend(ns: number): void {
    const { hasPacer, pace, workers, giveWay } = this.#setup
    if (!hasPacer) return
    if (giveWay !== undefined) {
      const dueNs = pace[PACE.arrival(workers)]!
      if (ns > dueNs && dueNs !== this.#askedAtNs) {
        // The pacer is late because this thread has the core.
        this.#askedAtNs = dueNs
        giveWay()
      }
    }
    this.#orders.readSome()
    this.#lookout.sendDue(ns)
  }

  /** The pacer calls: there are orders, or something is due. */
  called(): void {
    this.#orders.readAll(() => this.#lookout.look())
  }

  #obey(kind: number, phaseIndex: number, value: number, dueNs: number): void {
    if (kind === ORDER.continue) return this.#continueReady(dueNs, value)
    const phase = this.#phases.get(phaseIndex)!
    this.#starts.arrival(phase, value, phase.ring!.claimedNs[value % phase.ring!.capacity]!)
  }

  #continueReady(dueNs: number, credit: number): void {
    const session = this.#ready.shift()
    if (!session) return
    session.dueNs = dueNs
    session.claimedNs = Math.max(this.#setup.now(), dueNs)
    this.#lookout.sendWhenDue(dueNs, { session, credit })
  }

  /** Takes a credit for a later turn and sends it; without one the session is over. */
  #sendTurn(session: LiveSession): void {
    const { words } = session.phase
    const credit =
      Atomics.load(words, PHASE.state) === STATE.sending ? takeBelow(words, PHASE.requests, Atomics.load(words, PHASE.requestLimit)) : -1
    if (credit < 0) this.#finishSession(session)
    else {
      session.claimedNs = this.#setup.now()
      this.#send(session, credit)
    }
  }

  #send(session: LiveSession, credit: number): void {
    const { store } = this.#setup
    if (!store.isMade(session.conversation)) return this.#unmade.enter(session, credit)
    if (session.turn === session.firstTurn && session.turns - session.turn > 1) session.dynamic = store.dynamic(session.conversation)
    if (this.#prefill.limited) this.#prefill.enter({ session, credit })
    else this.#dispatch(session, credit, false)
  }

  #dispatch(session: LiveSession, credit: number, holdsPrefill: boolean): void {
    const setup = this.#setup
    const { phase } = session
    const flight = this.#idle.pop() ?? new Flight(this)
    const ordinal = Atomics.add(setup.runWords, RUN.ordinal, 1)
    flight.begin(ordinal, session)
    flight.holdsPrefill = holdsPrefill
    const hasNext = session.turn + 1 < session.turns
    if (holdsPrefill || (hasNext && session.dynamic))
      flight.reader = new ResponseReader(setup.endpoint, { keepText: false, keepDeltas: hasNext && session.dynamic !== undefined })
    flight.reader?.begin(setup.streaming)
    const { facts } = flight
    const row = setup.store.row(session.conversation, session.turn)
    facts[END_INDEX.session] = session.number
    facts[END_INDEX.conversation] = session.conversation
    facts[END_INDEX.turn] = session.turn
    facts[END_INDEX.user] = session.user
    facts[END_INDEX.worker] = setup.id
    facts[END_INDEX.url] = session.url
    facts[END_INDEX.model] = setup.store.turn(row, 'model')
    facts[END_INDEX.requestedTokens] = setup.store.turn(row, 'requestedTokens')
    facts[END_INDEX.dueNs] = session.dueNs
    facts[END_INDEX.claimedNs] = session.claimedNs
    if (phase.cancellation?.chance(credit)) facts[END_INDEX.cancelAtNs] = 0
    this.#flights.add(flight)
    Atomics.add(setup.ownWords, WORKER.inFlight, 1)
    Atomics.add(setup.urlWords, session.url, 1)
    Atomics.add(setup.ownWords, WORKER.sent, 1)
    Atomics.add(phase.words, PHASE.sent, 1)
    const request = this.#maker.make(flight, session, row, hasNext)
    facts[END_INDEX.dispatchedNs] = setup.now()
    const { polling } = setup.endpoint
    flight.sending = polling ? new PolledSending(setup.transport, request, flight, polling, setup.now).start() : setup.transport.send(request, flight)
    if (flight.ended) this.#recycle(flight)
  }

  written(flight: Flight, ns: number): void {
    // A cancelled request is sent whole; the delay counts from there.
    if (Number.isNaN(flight.facts[END_INDEX.cancelAtNs]!)) return
    const { delayNs } = flight.session.phase.cancellation!
    flight.facts[END_INDEX.cancelAtNs] = ns + delayNs
    flight.cancelTimer = setTimeout(() => {
      flight.stop = STOP.policy
      flight.sending?.cancel()
    }, delayNs / 1e6)
  }

  firstToken(flight: Flight): void {
    this.#releasePrefill(flight)
    if (!flight.session.dynamic || flight.session.turn + 1 >= flight.session.turns) flight.reader = undefined
  }

  ended(flight: Flight, ns: number, failure: TransportFailure | undefined): void {
    const { ownWords, urlWords, endpoint, urlStrategy } = this.#setup
    const { session, reader } = flight
    const { phase } = session
    this.#flights.delete(flight)
    Atomics.sub(ownWords, WORKER.inFlight, 1)
    Atomics.sub(urlWords, session.url, 1)
    Atomics.add(phase.words, PHASE.returned, 1)
    if (flight.holdsPrefill) this.#releasePrefill(flight)
    let ok = failure === undefined && flight.status >= 200 && flight.status < 300
    if (reader && !failure) {
      reader.end(ns)
      if (reader.status > 0 && reader.outcome().error) ok = false
    }
    Atomics.add(ownWords, ok ? WORKER.completed : WORKER.errors, 1)
    urlStrategy.ended?.(session.url, ok)
    if (session.dynamic) {
      const reply = ok && reader && session.turn + 1 < session.turns ? endpoint.conversational?.reply(reader.deltas) : undefined
      session.replies[session.turn] = reply?.message
      session.previousId = reply?.id
    }
    if (flight.sending !== undefined) this.#recycle(flight)
    this.#next(session, ns, ok)
  }

  #recycle(flight: Flight): void {
    if (this.#idle.length < 4096 && flight.ended) this.#idle.push(flight)
  }

  /** The turn ended: when may the next one go? */
  #next(session: LiveSession, endNs: number, ok: boolean): void {
    const { phase } = session
    const { words, nextTurn } = phase
    session.turn++
    const limit = Atomics.load(words, PHASE.requestLimit)
    const mayGoOn =
      session.turn < session.turns &&
      Atomics.load(words, PHASE.state) === STATE.sending &&
      (limit < 0 || Atomics.load(words, PHASE.requests) < limit) &&
      (ok || phase.onTurnError === 'continue')
    if (!mayGoOn) return this.#finishSession(session)
    const { store } = this.#setup
    const row = store.row(session.conversation, session.turn)
    const delayMs = store.turn(row, 'delayMs')
    let dueNs = Number.isNaN(delayMs) ? endNs : endNs + delayMs * 1e6
    if (nextTurn.kind === 'every') dueNs = Math.max(endNs, session.dueNs + nextTurn.gapNs)
    else if (nextTurn.kind === 'schedule') {
      const ms = store.turn(row, 'timestampMs')
      if (!Number.isNaN(ms)) dueNs = Math.max(endNs, phase.startNs + (ms - nextTurn.zeroMs) * 1e6)
    }
    session.dueNs = dueNs
    if (dueNs > this.#setup.now()) this.#agenda.add(dueNs, session)
    else this.#sendTurnOrQueue(session)
  }

  #sendTurnOrQueue(session: LiveSession): void {
    if (session.phase.nextTurn.kind !== 'takes-arrival') return this.#sendTurn(session)
    this.#ready.push(session)
    Atomics.add(this.#setup.ownWords, WORKER.ready, 1)
  }

  #finishSession(session: LiveSession): void {
    const { runWords, ownWords } = this.#setup
    const { phase } = session
    Atomics.sub(runWords, RUN.slots, 1)
    Atomics.sub(ownWords, WORKER.sessions, 1)
    Atomics.add(phase.words, PHASE.sessionsDone, 1)
    Atomics.sub(phase.words, PHASE.open, 1)
    this.#starts.more(phase)
    this.#checkOver(phase)
  }

  #checkOver(phase: WorkerPhase): void {
    if (Atomics.load(phase.words, PHASE.open) === 0) this.#setup.maybeOver(phase.index)
  }

  #releasePrefill(flight: Flight): void {
    flight.holdsPrefill = false
    this.#prefill.leave()
  }
}
