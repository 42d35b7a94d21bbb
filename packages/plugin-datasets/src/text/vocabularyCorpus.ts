import type { Random, Tokenizer } from '@aiperf/core'
import type { Corpus } from './corpus.js'
import { exactText } from './exactText.js'
import { proseCorpus } from './proseCorpus.js'

/** Draws without a usable token after which the vocabulary is taken to have none. */
const PATIENCE = 5000
const UNKNOWN = 0
const USABLE = 1
const UNUSABLE = 2

/**
 * Random tokens of the vocabulary: of those that are words or parts of words, and that stay one token when they stand
 * behind a space, so that a prompt has as many tokens as were drawn.
 */
export function vocabularyCorpus(tokenizer: Tokenizer): Corpus {
  const leader = tokenizer.count('a')
  const size = tokenizer.vocabularySize
  const states = new Uint8Array(size)
  const texts: string[] = []
  const usable = (id: number): boolean => {
    if (states[id] === UNKNOWN) {
      const word = tokenizer.specialIds.has(id) ? '' : tokenizer.decode([id]).trim()
      const good = /^\p{L}+$/u.test(word) && tokenizer.count(`a ${word} a`) === 2 * leader + 1 && tokenizer.count(word) === 1
      states[id] = good ? USABLE : UNUSABLE
      if (good) texts[id] = word
    }
    return states[id] === USABLE
  }
  const draw = (random: Random): string | undefined => {
    for (let attempt = 0; attempt < PATIENCE; attempt++) {
      const id = random.integer(0, size - 1)
      if (usable(id)) return texts[id]!
    }
    return undefined
  }
  if (draw(tokenizerStream(size)) === undefined) return proseCorpus(tokenizer)
  const checked = (text: string, tokens: number): string =>
    tokenizer.splitsAtSpaces || tokenizer.count(text) === tokens ? text : exactText(tokenizer, text, tokens, (count) => ' a'.repeat(count))
  return {
    text: (random, tokens) => checked(Array.from({ length: tokens }, () => draw(random) ?? 'a').join(' '), tokens),
    join: (parts, tokens) => checked(parts.join(' '), tokens),
  }
}

/** A stream that goes through the vocabulary, to see whether it has usable tokens at all. */
function tokenizerStream(size: number): Random {
  let next = 0
  const stream: Random = {
    next: () => 0, normal: () => 0, exponential: () => 0, gamma: () => 0, fork: () => stream,
    integer: () => (next = (next + 7919) % size),
  }
  return stream
}
