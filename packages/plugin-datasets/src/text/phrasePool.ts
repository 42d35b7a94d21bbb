import { createRandom, type Random } from '@aiperf/core'

/** Phrases to choose from. Texts are put together from them: a choice per phrase costs less than one per word. */
const PHRASES = 1024
/** Phrases made at a time. */
const CHUNK = 64

/** Sentences, or pieces of code, made when first used. Every unit of them (a word, a mark) is one token. */
export class PhrasePool {
  readonly #name: string
  readonly #joiner: string
  readonly #make: (random: Random) => string[]
  readonly #texts: string[] = new Array<string>(PHRASES)
  readonly #units: string[][] = new Array<string[]>(PHRASES)

  /** `make` gives the units of a phrase; `joiner` stands between phrases and costs no token. */
  constructor(name: string, joiner: string, make: (random: Random) => string[]) {
    this.#name = name
    this.#joiner = joiner
    this.#make = make
  }

  /**
   * Text of exactly `tokens` units. What comes at a place depends on the stream alone, so a shorter text from an equal
   * stream is a prefix of a longer one.
   */
  text(random: Random, tokens: number): string {
    const parts: string[] = []
    for (let left = tokens; left > 0; ) {
      const at = random.integer(0, PHRASES - 1)
      if (this.#units[at] === undefined) this.#fill(at - (at % CHUNK))
      const units = this.#units[at]!
      parts.push(units.length <= left ? this.#texts[at]! : units.slice(0, left).join(''))
      left -= units.length
    }
    return parts.join(this.#joiner)
  }

  #fill(first: number): void {
    const random = createRandom(first, this.#name)
    for (let at = first; at < first + CHUNK; at++) {
      const units = this.#make(random)
      this.#units[at] = units
      this.#texts[at] = units.join('')
    }
  }
}
