import { RUN, takeBelow } from '../shared/words.js'

/** Not in the library types of every Node version this runs on. */
const { waitAsync } = Atomics as unknown as {
  waitAsync(words: Int32Array, index: number, value: number, ms: number): { async: boolean; value: Promise<string> | string }
}

/** How long to wait for a slot before looking again, should a notification be missed, ms. */
const LOOK_AGAIN_MS = 1000

/**
 * Requests before their first token: at most as many as the run's limit says, over all workers. Turns that find no slot
 * wait here, oldest first; slots that other workers give back are seen through the shared counter.
 */
export class PrefillGate<T> {
  readonly #run: Int32Array
  readonly #admit: (item: T, hasWaited: boolean) => void
  readonly #waiting: T[] = []
  #watching = false

  constructor(run: Int32Array, admit: (item: T, hasWaited: boolean) => void) {
    this.#run = run
    this.#admit = admit
  }

  /** Whether the run has such a limit now. */
  get limited(): boolean {
    return Atomics.load(this.#run, RUN.prefillLimit) >= 0
  }

  /** Admits the item now, or when a slot is free and its turn has come. */
  enter(item: T): void {
    if (this.#waiting.length === 0 && this.#take()) return this.#admit(item, false)
    this.#waiting.push(item)
    Atomics.add(this.#run, RUN.prefillWaiting, 1)
    this.#watch()
  }

  /** Gives a slot back. */
  leave(): void {
    Atomics.sub(this.#run, RUN.prefill, 1)
    this.drain()
    if (Atomics.load(this.#run, RUN.prefillWaiting) > 0) Atomics.notify(this.#run, RUN.prefill)
  }

  /** Admits as many as there are slots. */
  drain(): void {
    while (this.#waiting.length > 0 && this.#take()) {
      Atomics.sub(this.#run, RUN.prefillWaiting, 1)
      this.#admit(this.#waiting.shift()!, true)
    }
  }

  /** Takes out the waiting items that `matches`. */
  remove(matches: (item: T) => boolean): T[] {
    const removed = this.#waiting.filter(matches)
    if (removed.length === 0) return removed
    const kept = this.#waiting.filter((item) => !matches(item))
    this.#waiting.splice(0, Infinity, ...kept)
    Atomics.sub(this.#run, RUN.prefillWaiting, removed.length)
    return removed
  }

  #take(): boolean {
    return takeBelow(this.#run, RUN.prefill, Atomics.load(this.#run, RUN.prefillLimit)) >= 0
  }

  #watch(): void {
    if (this.#watching) return
    this.#watching = true
    const again = (): void => {
      this.#watching = false
      this.drain()
      if (this.#waiting.length > 0) this.#watch()
    }
    const wait = waitAsync(this.#run, RUN.prefill, Atomics.load(this.#run, RUN.prefill), LOOK_AGAIN_MS)
    if (wait.async) void (wait.value as Promise<string>).then(again)
    else queueMicrotask(again)
  }
}
