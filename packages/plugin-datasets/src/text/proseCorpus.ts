import type { Random, Tokenizer } from '@aiperf/core'
import type { Corpus } from './corpus.js'
import { exactText } from './exactText.js'
import { lexiconOf, type Lexicon } from './lexicon.js'
import { PhrasePool } from './phrasePool.js'
import { englishWords } from './words.js'

/** English words in sentences, made for the tokenizer so that lengths are exact. */
export function proseCorpus(tokenizer: Tokenizer): Corpus {
  const lexicon = lexiconOf(tokenizer)
  return lexicon ? pooledCorpus(tokenizer, lexicon, new PhrasePool('sentences', ' ', (random) => sentence(lexicon, random))) : sampledWords(tokenizer)
}

/** A corpus of phrases; texts of tokenizers whose counts are not known to add up are counted, and corrected if need be. */
export function pooledCorpus(tokenizer: Tokenizer, lexicon: Lexicon, phrases: PhrasePool): Corpus {
  const checked = (text: string, tokens: number): string =>
    tokenizer.splitsAtSpaces || tokenizer.count(text) === tokens
      ? text
      : exactText(tokenizer, text, tokens, (count) => lexicon.words.slice(0, count).join(''))
  return {
    text: (random, tokens) => checked(phrases.text(random, tokens), tokens),
    join: (parts, tokens) => checked(parts.join(' '), tokens),
  }
}

/** 4 to 13 words, some with a comma between them, and a full stop. */
function sentence({ words, starters, marks }: Lexicon, random: Random): string[] {
  const units = [starters[random.integer(0, starters.length - 1)]!]
  const length = random.integer(4, 13)
  const comma = marks && length > 6 ? random.integer(3, length - 2) : 0
  while (units.length < length) units.push(units.length === comma ? ',' : words[random.integer(0, words.length - 1)]!)
  if (marks) units.push('.')
  return units
}

/** For vocabularies without whole words: words as they come, brought to length by encoding. */
function sampledWords(tokenizer: Tokenizer): Corpus {
  const letters = [...'etaoinshrdlu']
  const more = (count: number): string => (count > 8 ? ` ${englishWords[count % englishWords.length]}` : letters[count % letters.length]!)
  const words = (random: Random, count: number): string =>
    Array.from({ length: count }, () => englishWords[random.integer(0, englishWords.length - 1)]!).join(' ')
  return {
    text: (random, tokens) => exactText(tokenizer, words(random, tokens), tokens, more),
    join: (parts, tokens) => exactText(tokenizer, parts.join(' '), tokens, more),
  }
}
