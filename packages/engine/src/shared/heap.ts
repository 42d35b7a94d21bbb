/** A min-heap by due time. */
export class DueHeap<T> {
  readonly #due: number[] = []
  readonly #items: T[] = []

  get size(): number {
    return this.#due.length
  }
  /** Due time of the first; Infinity when empty. */
  get firstDue(): number {
    return this.#due[0] ?? Infinity
  }

  push(dueNs: number, item: T): void {
    let i = this.#due.length
    this.#due.push(dueNs)
    this.#items.push(item)
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (this.#due[parent]! <= dueNs) break
      this.#swap(i, parent)
      i = parent
    }
  }

  pop(): T | undefined {
    const first = this.#items[0]
    const lastDue = this.#due.pop()
    const lastItem = this.#items.pop()
    if (this.#due.length > 0) {
      this.#due[0] = lastDue!
      this.#items[0] = lastItem!
      this.#down()
    }
    return first
  }

  /** Takes everything out, in no order. */
  clear(): { dueNs: number; item: T }[] {
    const all = this.#items.map((item, i) => ({ dueNs: this.#due[i]!, item }))
    this.#due.length = this.#items.length = 0
    return all
  }

  #down(): void {
    let i = 0
    for (;;) {
      const left = 2 * i + 1
      if (left >= this.#due.length) return
      const right = left + 1
      const child = right < this.#due.length && this.#due[right]! < this.#due[left]! ? right : left
      if (this.#due[i]! <= this.#due[child]!) return
      this.#swap(i, child)
      i = child
    }
  }

  #swap(a: number, b: number): void {
    ;[this.#due[a], this.#due[b]] = [this.#due[b]!, this.#due[a]!]
    ;[this.#items[a], this.#items[b]] = [this.#items[b]!, this.#items[a]!]
  }
}
