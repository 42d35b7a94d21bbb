import { createRandom, type Random } from '@aiperf/core'
import type { Lexicon } from './lexicon.js'

/** Sentences to choose from. Texts are put together from them: a choice per sentence costs less than one per word. */
const SENTENCES = 4096
/** Sentences made at a time. */
const CHUNK = 64

/** Sentences of a lexicon, made when first used. Every unit of them, word or mark, is one token. */
export class Sentences {
  readonly #lexicon: Lexicon
  readonly #texts: string[] = new Array<string>(SENTENCES)
  readonly #units: string[][] = new Array<string[]>(SENTENCES)

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon
  }

  /**
   * Text of exactly `tokens` units. What comes at a place depends on the stream alone, so a shorter text from an equal
   * stream is a prefix of a longer one.
   */
  text(random: Random, tokens: number): string {
    const parts: string[] = []
    for (let left = tokens; left > 0; ) {
      const at = random.integer(0, SENTENCES - 1)
      if (this.#units[at] === undefined) this.#make(at - (at % CHUNK))
      const units = this.#units[at]!
      parts.push(units.length <= left ? this.#texts[at]! : units.slice(0, left).join(''))
      left -= units.length
    }
    return parts.join(' ')
  }

  /** 4 to 13 words, some with a comma between them, and a full stop. */
  #make(first: number): void {
    const { words, starters, marks } = this.#lexicon
    const random = createRandom(first, 'sentences')
    for (let at = first; at < first + CHUNK; at++) {
      const units = [starters[random.integer(0, starters.length - 1)]!]
      const length = random.integer(4, 13)
      const comma = marks && length > 6 ? random.integer(3, length - 2) : 0
      while (units.length < length) units.push(units.length === comma ? ',' : words[random.integer(0, words.length - 1)]!)
      if (marks) units.push('.')
      this.#units[at] = units
      this.#texts[at] = units.join('')
    }
  }
}
