import type { Random } from '@aiperf/core'
import type { Corpus } from '../text/corpus.js'

/** Full blocks kept as text; a block that is not kept is made again, and comes out the same. */
const KEPT = 4096

/**
 * Rebuilds prompts of a trace from the hash ids of their KV blocks: the same id is the same text, so that prompts share
 * exactly the prefixes that the trace says. A partial last block is the beginning of the full one.
 */
export class HashBlocks {
  readonly #corpus: Corpus
  readonly #random: Random
  readonly #blockSize: number
  readonly #kept = new Map<number | string, string>()

  constructor(corpus: Corpus, random: Random, blockSize: number) {
    this.#corpus = corpus
    this.#random = random
    this.#blockSize = blockSize
  }

  /**
   * Text of exactly `tokens` tokens: one block per id, the last as long as needed; tokens that no id stands for are text
   * of its own, by `tail`.
   */
  prompt(ids: readonly (number | string)[], tokens: number, tail: string): string {
    const parts: string[] = []
    let left = tokens
    for (const id of ids) {
      const size = Math.min(left, this.#blockSize)
      parts.push(size === this.#blockSize ? this.#full(id) : this.#block(id, size))
      left -= size
    }
    if (left > 0) parts.push(this.#corpus.text(this.#random.fork(`tail ${tail}`), left))
    return parts.length === 1 ? parts[0]! : this.#corpus.join(parts, tokens)
  }

  #block(id: number | string, tokens: number): string {
    return this.#corpus.text(this.#random.fork(`block ${id}`), tokens)
  }

  #full(id: number | string): string {
    let text = this.#kept.get(id)
    if (text === undefined) text = this.#block(id, this.#blockSize)
    else this.#kept.delete(id)
    this.#kept.set(id, text)
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return text
  }
}
