import type { OrderRing } from '../shared/arrivals.js'
import { WORKER } from '../shared/words.js'

/** Orders that are carried out between two turns of the event loop, and between two reads. */
const ORDERS_A_TURN = 32
const ORDERS_A_READ = 2

/** Carries out orders. */
export interface Master {
  /** The pacer may hear of the beginning of a phase before this worker does: its orders wait. */
  hasBegun(phase: number): boolean
  obey(kind: number, phase: number, value: number, dueNs: number): void
}

/** What the pacer orders this worker to do. */
export class Orders {
  readonly #ring: OrderRing
  readonly #words: Int32Array
  readonly #master: Master

  constructor(ring: OrderRing, ownWords: Int32Array, master: Master) {
    this.#ring = ring
    this.#words = ownWords
    this.#master = master
  }

  get waiting(): boolean {
    return Atomics.load(this.#words, WORKER.ringWritten) !== Atomics.load(this.#words, WORKER.ringRead)
  }

  /** Reads some between two reads of answers. */
  readSome(): void {
    if (this.waiting) this.#take(ORDERS_A_READ)
  }

  /** Reads all at once. */
  readNow(): void {
    this.#take(Infinity)
  }

  /**
   * Reads all, so many at a time: answers must be read in between. Who only sends when much is due opens a connection for each
   * request, which costs three times as much as one that came back, and never catches up.
   */
  readAll(done: () => void): void {
    for (;;) {
      if (!this.#take(ORDERS_A_TURN)) {
        setImmediate(() => this.readAll(done))
        return
      }
      Atomics.store(this.#words, WORKER.awake, 0)
      if (!this.waiting) return done()
    }
  }

  /** Takes at most so many; false: there are more, or the next must wait. */
  #take(most: number): boolean {
    const ring = this.#ring
    const words = this.#words
    let read = Atomics.load(words, WORKER.ringRead)
    for (let taken = 0; read !== Atomics.load(words, WORKER.ringWritten); taken++) {
      if (taken === most) return false
      const at = (read >>> 0) % ring.capacity
      const kind = ring.kind[at]!
      const phase = ring.phase[at]!
      if (!this.#master.hasBegun(phase)) return false
      const value = ring.value[at]!
      const dueNs = ring.dueNs[at]!
      read = (read + 1) | 0
      Atomics.store(words, WORKER.ringRead, read)
      this.#master.obey(kind, phase, value, dueNs)
    }
    return true
  }
}
