import { RUN } from '../shared/words.js'
import { DueHeap } from '../shared/heap.js'

/** Things of this worker that are due at times of their own: the pacer wakes it for the first, or a timer where there is none. */
export class Agenda<T> {
  readonly #heap = new DueHeap<T>()
  readonly #setup: { hasPacer: boolean; pace: Float64Array; id: number; runWords: Int32Array; now(): number }
  readonly #due: (item: T) => void
  #timer: NodeJS.Timeout | undefined

  constructor(setup: { hasPacer: boolean; pace: Float64Array; id: number; runWords: Int32Array; now(): number }, due: (item: T) => void) {
    this.#setup = setup
    this.#due = due
  }

  add(dueNs: number, item: T): void {
    this.#heap.push(dueNs, item)
    this.#arm()
  }

  /** Due time of the first; Infinity when there is nothing. */
  get firstDue(): number {
    return this.#heap.firstDue
  }

  /** Hands over what is due. */
  run(nowNs: number): void {
    while (this.#heap.firstDue <= nowNs) this.#due(this.#heap.pop()!)
    this.#arm()
  }

  /** Takes out what `matches`. */
  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = []
    for (const { dueNs, item } of this.#heap.clear()) {
      if (matches(item)) removed.push(item)
      else this.#heap.push(dueNs, item)
    }
    this.#arm()
    return removed
  }

  #arm(): void {
    const { hasPacer, pace, id, runWords, now } = this.#setup
    const first = this.#heap.firstDue
    if (hasPacer) {
      if (pace[id] === first) return
      pace[id] = first
      Atomics.add(runWords, RUN.pacerWake, 1)
      Atomics.notify(runWords, RUN.pacerWake)
      return
    }
    clearTimeout(this.#timer)
    if (first < Infinity) this.#timer = setTimeout(() => this.run(now()), Math.max(0, (first - now()) / 1e6))
  }
}
