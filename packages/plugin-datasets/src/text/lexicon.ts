import type { Tokenizer } from '@aiperf/core'
import { englishWords } from './words.js'

/** Fewer words than this make no prose. */
const ENOUGH = 48
/** Marks that may stand after a word. */
const MARKS = [',', '.']

/**
 * Words that are one token each under a tokenizer, whatever stands beside them. A text of n such units has exactly n
 * tokens, texts joined by a space have the sum of their tokens, and any number of leading units is a prefix of the
 * text in tokens as well: nothing has to be encoded to know it.
 */
export interface Lexicon {
  /** With their leading space; one token after a word or mark. */
  readonly words: readonly string[]
  /** Capitalised, without the space; one token at the beginning of a text and, behind a space, within it. */
  readonly starters: readonly string[]
  /** Whether a comma and a full stop after any of the words are one token each. */
  readonly marks: boolean
}

/** The lexicon of a tokenizer; undefined when its vocabulary has too few whole words. */
export function lexiconOf(tokenizer: Tokenizer): Lexicon | undefined {
  const leader = tokenizer.count('a')
  // Where counts add up, what follows a word need not be looked at.
  const within = tokenizer.splitsAtSpaces
    ? (word: string) => tokenizer.count(`a ${word}`) === leader + 1
    : (word: string) => tokenizer.count(`a ${word} a`) === leader + 2
  const alone = (word: string) => tokenizer.count(word) === 1
  const words: string[] = []
  const starters: string[] = []
  // Every other word is enough, and each costs a look into the vocabulary before the first request.
  for (let at = 0; at < englishWords.length; at += 2) {
    const word = englishWords[at]!
    if (within(word)) words.push(` ${word}`)
    const capital = word[0]!.toUpperCase() + word.slice(1)
    if (at % 8 === 0 && alone(capital) && within(capital)) starters.push(capital)
  }
  if (words.length < ENOUGH && !addVocabulary(tokenizer, words, starters, within, alone)) return undefined
  if (starters.length < ENOUGH) starters.push(...words.map((word) => word.slice(1)).filter(alone))
  return starters.length === 0 ? undefined : { words, starters, marks: marksStand(tokenizer, words, starters[0]!) }
}

/** Tokens looked at, and words taken, where English ones are no tokens. */
const LOOKED_AT = 50_000
const TAKEN = 1000

/** Adds the words that the vocabulary itself has: those of another language, or of a model made for a test. */
function addVocabulary(tokenizer: Tokenizer, words: string[], starters: string[], within: (word: string) => boolean, alone: (word: string) => boolean): boolean {
  // Tokens of like length stand together, so they are taken from all over the vocabulary.
  const stride = Math.max(1, Math.floor(tokenizer.vocabularySize / LOOKED_AT))
  const known = new Set(words)
  for (let id = 0; id < tokenizer.vocabularySize && words.length < TAKEN; id += stride) {
    const word = tokenizer.specialIds.has(id) ? '' : tokenizer.decode([id]).trim()
    if (!/^\p{L}{2,}$/u.test(word) || known.has(` ${word}`) || !within(word)) continue
    words.push(` ${word}`)
    known.add(` ${word}`)
    if (alone(word)) starters.push(word)
  }
  return words.length >= ENOUGH
}

function marksStand(tokenizer: Tokenizer, words: readonly string[], starter: string): boolean {
  return MARKS.every((mark) => {
    let text = starter
    for (const word of words) text += word + mark
    return tokenizer.count(text) === 1 + 2 * words.length
  })
}
