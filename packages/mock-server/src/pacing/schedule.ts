/** Something that is due at a time. */
export interface Timed {
  /** When, in ms of the monotonic clock. Changed only by itself, within `fire`. */
  dueMs: number
  /** Set to have it dropped unfired. */
  cancelled: boolean
  /** Does what is due; true to be fired again at the new `dueMs`. */
  fire(nowMs: number): boolean
}

/** What is due, the earliest first: a heap of four children a node, which is flatter than one of two. */
export class Schedule {
  readonly #heap: Timed[] = []

  get size(): number {
    return this.#heap.length
  }

  peek(): Timed | undefined {
    return this.#heap[0]
  }

  push(item: Timed): void {
    const heap = this.#heap
    let index = heap.length
    heap.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 2
      if (heap[parent]!.dueMs <= item.dueMs) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = item
  }

  /** Takes the first item out. */
  pop(): void {
    const last = this.#heap.pop()
    if (last && this.#heap.length > 0) this.#sink(last)
  }

  /** Puts the first item where its new due time belongs. */
  moved(): void {
    this.#sink(this.#heap[0]!)
  }

  #sink(item: Timed): void {
    const heap = this.#heap
    let index = 0
    for (;;) {
      const first = index * 4 + 1
      if (first >= heap.length) break
      let least = first
      const end = Math.min(first + 4, heap.length)
      for (let child = first + 1; child < end; child++) if (heap[child]!.dueMs < heap[least]!.dueMs) least = child
      if (heap[least]!.dueMs >= item.dueMs) break
      heap[index] = heap[least]!
      index = least
    }
    heap[index] = item
  }
}
