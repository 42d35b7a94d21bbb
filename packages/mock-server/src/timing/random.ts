/** What a stream of random numbers is drawn for. Each purpose has its own, so that switching one on moves no other. */
export const PURPOSE = { ttft: 1, itl: 2, length: 3, toolCall: 4, words: 5, fault: 100 } as const

/** Scrambles a 32-bit number (the finalizer of MurmurHash3). */
export function scramble(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A small seeded generator (mulberry32): the same seed, ordinal and purpose give the same numbers. */
export class Random {
  #state: number

  constructor(seed: number, ordinal: number, purpose: number) {
    this.#state = scramble(scramble(scramble(seed) + ordinal) + Math.imul(purpose, 0x9e3779b9))
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A number of the standard normal distribution (Box-Muller). */
  nextNormal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
  }
}
