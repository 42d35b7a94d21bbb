/**
 * Hits of a least-recently-used block cache for every size at once, by stack distances (Mattson 1970): a block is still
 * there if fewer other blocks than the cache holds were used since its last use.
 */
export class LruCurve {
  /** Per cache size: blocks that are found at that size and not at a smaller one. */
  readonly #hitsAt: number[] = []
  readonly #lastUse = new Map<number, number>()
  /** Fenwick tree over uses: 1 where a block's last use stands. */
  #tree = new Int32Array(1024)
  #uses = 0
  blocks = 0

  /** The blocks of a request, in order. Blocks are used back to front, so that what a block stands on outlives it. */
  use(blocks: readonly number[]): void {
    this.blocks += blocks.length
    const now = this.#uses
    for (const block of blocks) {
      const last = this.#lastUse.get(block)
      if (last === undefined) break // the blocks behind a miss cannot be found either
      const needed = this.#sum(now) - this.#sum(last + 1) + 1
      this.#hitsAt[needed] = (this.#hitsAt[needed] ?? 0) + 1
    }
    for (let at = blocks.length - 1; at >= 0; at--) {
      const last = this.#lastUse.get(blocks[at]!)
      if (last !== undefined) this.#add(last, -1)
      this.#grow(this.#uses + 1)
      this.#add(this.#uses, 1)
      this.#lastUse.set(blocks[at]!, this.#uses++)
    }
  }

  /** Share of the blocks that a cache of this many blocks would have had. */
  hitRate(size: number): number {
    let hits = 0
    this.#hitsAt.forEach((count, needed) => {
      if (needed <= size) hits += count
    })
    return this.blocks === 0 ? 0 : hits / this.blocks
  }

  #grow(size: number): void {
    if (size < this.#tree.length) return
    const larger = new Int32Array(this.#tree.length * 2)
    const values = new Int32Array(this.#tree.length)
    for (const use of this.#lastUse.values()) values[use] = 1
    this.#tree = larger
    values.forEach((value, at) => value && this.#add(at, 1))
  }

  #add(at: number, value: number): void {
    for (let node = at + 1; node < this.#tree.length; node += node & -node) this.#tree[node]! += value
  }

  /** Number of last uses before `at`. */
  #sum(at: number): number {
    let sum = 0
    for (let node = at; node > 0; node -= node & -node) sum += this.#tree[node]!
    return sum
  }
}
