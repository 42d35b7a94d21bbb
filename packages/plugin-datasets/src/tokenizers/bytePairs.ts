import { HASH_SEED, hashStep, slotOf, type RankTable } from './rankTable.js'

/** A pair that no token stands for. */
const NONE = 0x7fffffff
/** Pieces up to this many bytes are merged by scanning for the lowest rank; longer ones by a heap. */
const SCAN_LIMIT = 96
/** Heap keys are rank × this + position; ranks stay below 2²⁷ and positions below 2²⁶, so they are exact doubles. */
const POSITIONS = 2 ** 26

/** Order of merges that a model states itself, rather than by the ids of what they make. */
export interface MergeOrder {
  /** Rank of the merge of two tokens, lower first; `NO_MERGE` when they do not merge. */
  rank(left: number, right: number): number
}
export const NO_MERGE = NONE

/**
 * Byte-pair encoding of one piece of text: the pair with the lowest rank is merged first, the leftmost of equals, until
 * no pair merges. Without an order of merges the rank of a pair is the id of the token it makes, as in tiktoken. Scratch
 * memory is kept from piece to piece.
 */
export class BytePairs {
  readonly #table: RankTable
  readonly #mask: number
  readonly #order: MergeOrder | undefined
  readonly #byteIds = new Int32Array(256)
  /** The bytes of the piece; fill `piece[0 … length−1]` before `merge`. */
  piece = new Uint8Array(256)
  #starts = new Int32Array(257)
  #ranks = new Int32Array(257)
  /** Ids of the parts, kept where an order of merges asks for them. */
  #ids = new Int32Array(257)
  #next = new Int32Array(0)
  #previous = new Int32Array(0)

  constructor(table: RankTable, order?: MergeOrder) {
    this.#table = table
    this.#mask = table.slots.length - 1
    this.#order = order
    for (let byte = 0; byte < 256; byte++) {
      this.piece[0] = byte
      this.#byteIds[byte] = this.find(0, 1)
    }
  }

  /** Makes room for `length` bytes, keeping what is there. */
  reserve(length: number): void {
    if (length <= this.piece.length) return
    const larger = new Uint8Array(Math.max(length, this.piece.length * 2))
    larger.set(this.piece)
    this.piece = larger
  }

  /** Rank of the token with exactly the bytes `from … to−1` of the piece; −1 when there is none. */
  find(from: number, to: number): number {
    const { piece } = this
    let hash = HASH_SEED
    for (let i = from; i < to; i++) hash = hashStep(hash, piece[i]!)
    return this.probe(hash, from, to)
  }

  /** As `find`, with the hash already made. */
  probe(hash: number, from: number, to: number): number {
    const { bytes, starts, slots } = this.#table
    const { piece } = this
    const length = to - from
    for (let slot = slotOf(hash, this.#mask); ; slot = (slot + 1) & this.#mask) {
      const rank = slots[slot]!
      if (rank < 0) return -1
      const start = starts[rank]!
      if (starts[rank + 1]! - start !== length) continue
      let i = 0
      while (i < length && bytes[start + i] === piece[from + i]) i++
      if (i === length) return rank
    }
  }

  /** Appends the tokens of the piece's first `length` bytes to `out` (when given) and returns their number. */
  merge(length: number, out: number[] | undefined): number {
    return length <= SCAN_LIMIT ? this.#mergeShort(length, out) : this.#mergeLong(length, out)
  }

  /** Rank of the pair whose bytes are `from … to−1`, and whose second token begins at `middle`. */
  #pair(from: number, middle: number, to: number): number {
    if (this.#order) return this.#order.rank(this.#ids[from]!, this.#ids[middle]!)
    if (to - from > this.#table.longest) return NONE
    const rank = this.find(from, to)
    return rank < 0 ? NONE : rank
  }

  /** Notes the token that a merge made, under the place of its first byte. */
  #made(from: number, to: number): void {
    if (this.#order) this.#ids[from] = this.find(from, to)
  }

  #begin(length: number): void {
    if (!this.#order) return
    if (this.#ids.length <= length) this.#ids = new Int32Array(length + 1)
    for (let i = 0; i < length; i++) this.#ids[i] = this.#byteIds[this.piece[i]!]!
  }

  #mergeShort(length: number, out: number[] | undefined): number {
    const starts = this.#starts
    const ranks = this.#ranks
    let parts = length
    this.#begin(length)
    for (let i = 0; i <= length; i++) starts[i] = i
    for (let i = 0; i + 1 < length; i++) ranks[i] = this.#pair(i, i + 1, i + 2)
    for (;;) {
      let best = NONE
      let at = -1
      for (let i = 0; i + 1 < parts; i++)
        if (ranks[i]! < best) {
          best = ranks[i]!
          at = i
        }
      if (at < 0) break
      parts--
      starts.copyWithin(at + 1, at + 2, parts + 2)
      ranks.copyWithin(at + 1, at + 2, parts + 1)
      this.#made(starts[at]!, starts[at + 1]!)
      if (at + 1 < parts) ranks[at] = this.#pair(starts[at]!, starts[at + 1]!, starts[at + 2]!)
      if (at > 0) ranks[at - 1] = this.#pair(starts[at - 1]!, starts[at]!, starts[at + 1]!)
    }
    if (out) for (let i = 0; i < parts; i++) out.push(this.find(starts[i]!, starts[i + 1]!))
    return parts
  }

  #mergeLong(length: number, out: number[] | undefined): number {
    if (this.#next.length <= length) {
      this.#next = new Int32Array(length + 1)
      this.#previous = new Int32Array(length + 1)
    }
    this.#begin(length)
    const next = this.#next
    const previous = this.#previous
    const ranks = this.#ranks.length > length ? this.#ranks : (this.#ranks = new Int32Array(length + 1))
    const heap = new MinHeap(length)
    const see = (at: number): void => {
      const middle = next[at]!
      const rank = middle < length ? this.#pair(at, middle, next[middle]!) : NONE
      ranks[at] = rank
      if (rank !== NONE) heap.push(rank * POSITIONS + at)
    }
    for (let i = 0; i < length; i++) {
      next[i] = i + 1
      previous[i] = i - 1
    }
    for (let i = 0; i < length; i++) see(i)
    let parts = length
    for (let key = heap.pop(); key >= 0; key = heap.pop()) {
      const at = key % POSITIONS
      if (ranks[at] !== (key - at) / POSITIONS) continue // the pair has changed since
      const gone = next[at]!
      const end = next[gone]!
      next[at] = end
      if (end < length) previous[end] = at
      ranks[gone] = NONE
      this.#made(at, end)
      parts--
      see(at)
      if (previous[at]! >= 0) see(previous[at]!)
    }
    if (out) for (let i = 0; i < length; i = next[i]!) out.push(this.find(i, next[i]!))
    return parts
  }
}

/** A binary heap of non-negative doubles. */
class MinHeap {
  #keys: Float64Array
  #size = 0
  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity * 3 + 8)
  }

  push(key: number): void {
    const keys = this.#keys
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (keys[parent]! <= key) break
      keys[at] = keys[parent]!
      at = parent
    }
    keys[at] = key
  }

  /** The lowest key, removed; −1 when empty. */
  pop(): number {
    if (this.#size === 0) return -1
    const keys = this.#keys
    const lowest = keys[0]!
    const last = keys[--this.#size]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && keys[child + 1]! < keys[child]!) child++
      if (keys[child]! >= last) break
      keys[at] = keys[child]!
      at = child
    }
    keys[at] = last
    return lowest
  }
}
