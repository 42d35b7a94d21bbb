/** How many characters of text count as a token. */
export const CHARS_PER_TOKEN = 4

/**
 * Remembers which beginnings of prompts have been computed, in blocks of tokens. A block is found by a hash of its text
 * and of all the blocks before it, so a block counts only behind the same beginning. The least recently used go first.
 */
export class PrefixCache {
  /** Keys in order of use, the least recent first. */
  readonly #blocks = new Set<number>()

  constructor(
    readonly blockTokens: number,
    readonly maxBlocks: number,
  ) {}

  get size(): number {
    return this.#blocks.size
  }

  /** How many tokens at the beginning of the text are known; whole blocks only. Counts as a use of them. */
  match(text: string): number {
    let known = 0
    for (const key of this.#keys(text)) {
      if (!this.#blocks.has(key)) break
      this.#use(key)
      known += this.blockTokens
    }
    return known
  }

  /** From now on all whole blocks of the text are known. */
  add(text: string): void {
    for (const key of this.#keys(text)) this.#use(key)
    for (const key of this.#blocks) {
      if (this.#blocks.size <= this.maxBlocks) break
      this.#blocks.delete(key)
    }
  }

  clear(): void {
    this.#blocks.clear()
  }

  #use(key: number): void {
    this.#blocks.delete(key)
    this.#blocks.add(key)
  }

  *#keys(text: string): Generator<number> {
    const blockChars = this.blockTokens * CHARS_PER_TOKEN
    let high = 0x9e3779b9
    let low = 0x85ebca6b
    for (let end = blockChars; end <= text.length; end += blockChars) {
      for (let at = end - blockChars; at < end; at++) {
        const unit = text.charCodeAt(at)
        high = Math.imul(high ^ unit, 0x01000193)
        low = Math.imul(low ^ unit, 0x5bd1e995) ^ (low >>> 15)
      }
      // 53 bits: the most that a number keeps.
      yield (high >>> 11) * 0x100000000 + (low >>> 0)
    }
  }
}
