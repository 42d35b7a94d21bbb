import type { Store } from '../store/reader.js'

/** How soon to look again whether a body is there, ms. */
const LOOK_AGAIN_MS = 1

/**
 * Where sessions wait whose bodies are still being made: only of datasets too large to be made before the run, and only
 * when sending is faster than making. The first that waits is asked for, should the maker have other things in mind.
 */
export class BodyGate<T extends { conversation: number }> {
  readonly #store: Store
  readonly #worker: number
  readonly #admit: (item: T, credit: number) => void
  #waiting: { item: T; credit: number }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, worker: number, admit: (item: T, credit: number) => void) {
    this.#store = store
    this.#worker = worker
    this.#admit = admit
  }

  enter(item: T, credit: number): void {
    this.#waiting.push({ item, credit })
    this.#watch()
  }

  /** Takes out the waiting items that `matches`. */
  remove(matches: (item: T) => boolean): T[] {
    const removed = this.#waiting.filter(({ item }) => matches(item))
    if (removed.length > 0) this.#waiting = this.#waiting.filter(({ item }) => !matches(item))
    return removed.map(({ item }) => item)
  }

  #watch(): void {
    if (this.#timer || this.#waiting.length === 0) return
    this.#store.want(this.#waiting[0]!.item.conversation, this.#worker)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const waiting = this.#waiting
      this.#waiting = []
      for (const entry of waiting) {
        if (this.#store.isMade(entry.item.conversation)) this.#admit(entry.item, entry.credit)
        else this.#waiting.push(entry)
      }
      this.#watch()
    }, LOOK_AGAIN_MS)
  }
}
