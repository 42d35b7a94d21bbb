import { PACE } from '../shared/arrivals.js'
import { DueHeap } from '../shared/heap.js'

/** What is due soon: handed out by the pacer ahead of time, or a later turn of a session of this worker. */
export class Lookout<T> {
  readonly #handedOut = new DueHeap<T>()
  readonly #setup: { now(): number; pace: Float64Array; workers: number; id: number }
  readonly #own: { readonly firstDue: number; run(nowNs: number): void }
  readonly #send: (item: T) => void
  #looking = false
  #untilNs = 0

  /** `own`: things with due times that this worker set itself. */
  constructor(setup: { now(): number; pace: Float64Array; workers: number; id: number }, own: { readonly firstDue: number; run(nowNs: number): void }, send: (item: T) => void) {
    this.#setup = setup
    this.#own = own
    this.#send = send
  }

  /** Sends at its due time: now, or when somebody looks. */
  sendWhenDue(dueNs: number, item: T): void {
    if (dueNs <= this.#setup.now()) this.#send(item)
    else this.#handedOut.push(dueNs, item)
  }

  sendDue(nowNs: number): void {
    while (this.#handedOut.firstDue <= nowNs) this.#send(this.#handedOut.pop()!)
    if (this.#own.firstDue <= nowNs) this.#own.run(nowNs)
  }

  /**
   * Goes round the event loop without a sleep until all is sent that the pacer called for, or that is due until `untilNs`: it would
   * be late after a sleep.
   */
  look(untilNs = 0): void {
    this.#untilNs = Math.max(this.#untilNs, untilNs)
    if (this.#looking) return
    this.#looking = true
    setImmediate(this.#lookOnce)
  }

  readonly #lookOnce = (): void => {
    const { now, pace, workers, id } = this.#setup
    this.sendDue(now())
    if (Math.min(this.#handedOut.firstDue, this.#own.firstDue) <= Math.max(this.#untilNs, pace[PACE.called(workers, id)]!)) setImmediate(this.#lookOnce)
    else this.#looking = false
  }
}
