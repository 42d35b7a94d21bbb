/**
 * Finds what belongs to a request in a stream that comes in order of `ordinal`. Requests are asked for mostly in the same
 * order; what was passed over is kept until its request comes, so that only stragglers take memory.
 */
export class ByOrdinal<T extends { readonly ordinal: number }> {
  readonly #source: AsyncIterator<T>
  readonly #passed = new Map<number, T>()
  #next: T | undefined
  #ended = false

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The item of that request; undefined when there is none. Each can be had once. */
  async take(ordinal: number): Promise<T | undefined> {
    const passed = this.#passed.get(ordinal)
    if (passed !== undefined) {
      this.#passed.delete(ordinal)
      return passed
    }
    for (;;) {
      if (this.#next === undefined) {
        if (this.#ended) return undefined
        const { done, value } = await this.#source.next()
        if (done) {
          this.#ended = true
          return undefined
        }
        this.#next = value
      }
      const item = this.#next
      if (item.ordinal > ordinal) return undefined
      this.#next = undefined
      if (item.ordinal === ordinal) return item
      this.#passed.set(item.ordinal, item)
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}
