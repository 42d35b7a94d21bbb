/** A promise that is kept from outside. */
export function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void
  return { promise: new Promise<T>((r) => (resolve = r)), resolve: (value) => resolve(value) }
}

/** Settles when the work does, or with nothing when the time is over. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, limitMs)))])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when as many have reported as were started. */
export class Countdown {
  #left = 0
  readonly #deferred = deferred<void>()
  get done(): Promise<void> {
    return this.#deferred.promise
  }
  start(count: number): void {
    this.#left += count
  }
  one(): void {
    if (--this.#left === 0) this.#deferred.resolve()
  }
}
