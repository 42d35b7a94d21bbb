import type { Random, Tokenizer } from '@aiperf/core'
import type { Corpus } from './corpus.js'
import { exactText } from './exactText.js'
import { lexiconOf } from './lexicon.js'
import { Sentences } from './sentences.js'
import { englishWords } from './words.js'

/** English words in sentences, made for the tokenizer so that lengths are exact. */
export function proseCorpus(tokenizer: Tokenizer): Corpus {
  const lexicon = lexiconOf(tokenizer)
  if (!lexicon) return sampledWords(tokenizer)
  const sentences = new Sentences(lexicon)
  const checked = (text: string, tokens: number): string =>
    tokenizer.splitsAtSpaces || tokenizer.count(text) === tokens
      ? text
      : exactText(tokenizer, text, tokens, (count) => lexicon.words.slice(0, count).join(''))
  return {
    text: (random, tokens) => checked(sentences.text(random, tokens), tokens),
    join: (parts, tokens) => checked(parts.join(' '), tokens),
  }
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
