import type { RunModel, Session } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'
import type { DatasetSizes } from '../control/messages.js'
import type { StoreShared } from '../store/layout.js'
import { Store } from '../store/reader.js'
import type { BodySink } from '../store/writer.js'
import { needOrder, type NeedOrder } from './need-order.js'
import type { SessionEncoder } from './session-encoder.js'

/** Bodies that are made before the first request. */
const FIRST_BYTES = 8 * 1024 * 1024
/** How far the making keeps ahead of the sessions that start, and at least so many of them. */
const AHEAD_BYTES = 64 * 1024 * 1024
const AHEAD_SESSIONS = 64
/** Work at a time, so that the thread does its other work in between; and the pause when all that is near is made. */
const STEP_MS = 4
const PAUSE_MS = 5

export interface UnmadeSession {
  session: Session
  /** Row of its first turn. */
  firstTurn: number
}

export interface MakerSetup {
  host: Host
  model: RunModel
  seed: number
  sizes: DatasetSizes
  phaseWords: readonly Int32Array[]
  encoder: SessionEncoder
  shared: StoreShared
  sink: BodySink
  unmade: Map<number, UnmadeSession>
}

interface Phase {
  order: NeedOrder
  /** Place in the order up to which all bodies are made. */
  next: number
  over: boolean
}

/**
 * Makes the bodies of a dataset while the run goes on, in the order in which its phases start sessions and some way
 * ahead of them, so that a run of a huge trace begins at once and makes only what it sends. A worker that is faster
 * waits, which its lateness shows.
 */
export class BodyMaker {
  readonly #setup: MakerSetup
  readonly #made: Int32Array
  #phases: Phase[] = []
  #bytes = 0
  #sessions = 0
  #stopped = false

  constructor(setup: MakerSetup) {
    this.#setup = setup
    this.#made = new Int32Array(setup.shared.made!)
  }

  /** Makes what the first requests need. */
  async begin(): Promise<void> {
    const { host, model, phaseWords, shared, sizes, seed } = this.#setup
    const store = new Store(shared)
    this.#phases = await Promise.all(model.phases.map(async (_, at) => ({ order: await needOrder(host, model, at, phaseWords[at]!, store, sizes, seed), next: 0, over: false })))
    // The shape of requests is that of any body.
    if (!(await this.#makeNext())) await this.#make(this.#setup.unmade.keys().next().value!)
    while (this.#bytes < FIRST_BYTES && (await this.#makeNext()));
  }

  stop(): void {
    this.#stopped = true
  }

  /** Goes on until everything is made or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopped && this.#setup.unmade.size > 0) {
      const until = performance.now() + STEP_MS
      let busy = true
      while (busy && performance.now() < until) busy = await this.#makeNext()
      await new Promise((resolve) => (busy ? setImmediate(resolve) : setTimeout(resolve, PAUSE_MS).unref()))
    }
  }

  /** Makes what is needed next; false when all that is near is made. */
  async #makeNext(): Promise<boolean> {
    const wanted = this.#wanted()
    if (wanted !== undefined) {
      await this.#make(wanted)
      return true
    }
    const ahead = Math.max(AHEAD_SESSIONS, AHEAD_BYTES / Math.max(1, this.#bytes / this.#sessions || 0))
    for (const phase of this.#phases) {
      const { order } = phase
      while (!phase.over && phase.next < order.started() + ahead) {
        const session = order.at(phase.next++)
        if (session === undefined) phase.over = true
        else if (this.#made[session] === 0) {
          await this.#make(session)
          return true
        }
      }
    }
    return false
  }

  /** What a worker waits for. */
  #wanted(): number | undefined {
    for (let at = this.#setup.shared.sessionCount; at < this.#made.length; at++) {
      const session = Atomics.exchange(this.#made, at, 0) - 1
      if (session >= 0 && this.#made[session] === 0) return session
    }
    return undefined
  }

  async #make(row: number): Promise<void> {
    const { encoder, sink, unmade } = this.#setup
    const { session, firstTurn } = unmade.get(row)!
    await encoder.addBodies(session, row, firstTurn, {
      ...sink,
      bytes: (data) => {
        this.#bytes += data.length
        return sink.bytes(data)
      },
    })
    this.#sessions++
    unmade.delete(row)
    // What was written above is seen by whoever sees this.
    Atomics.store(this.#made, row, 1)
  }
}
