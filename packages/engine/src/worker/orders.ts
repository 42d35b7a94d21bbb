import type { OrderRing } from '../shared/arrivals.js'
import { WORKER } from '../shared/words.js'

/** Orders that are carried out between two turns of the event loop, and between two reads. */
const ORDERS_A_TURN = 32
const ORDERS_A_READ = 2

/** What the pacer orders this worker to do. */
export class Orders {
  readonly #ring: OrderRing
  readonly #words: Int32Array
  readonly #obey: (kind: number, phase: number, value: number, dueNs: number) => void

  constructor(ring: OrderRing, ownWords: Int32Array, obey: (kind: number, phase: number, value: number, dueNs: number) => void) {
    this.#ring = ring
    this.#words = ownWords
    this.#obey = obey
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

  /** Takes at most so many; false: there are more. */
  #take(most: number): boolean {
    const ring = this.#ring
    const words = this.#words
    let read = Atomics.load(words, WORKER.ringRead)
    for (let taken = 0; read !== Atomics.load(words, WORKER.ringWritten); taken++) {
      if (taken === most) return false
      const at = (read >>> 0) % ring.capacity
      const kind = ring.kind[at]!
      const phase = ring.phase[at]!
      const value = ring.value[at]!
      const dueNs = ring.dueNs[at]!
      read = (read + 1) | 0
      Atomics.store(words, WORKER.ringRead, read)
      this.#obey(kind, phase, value, dueNs)
    }
    return true
  }
}
