import type { Tokenizer } from '@aiperf/core'

const WORDS = Array.from({ length: 2000 }, (_, id) => ` w${id.toString(36)}`)
const IDS = new Map(WORDS.map((word, id) => [word, id]))

/** One token per word: enough for loaders that count or draw tokens, without a vocabulary file. */
export const WORD_TOKENIZER: Tokenizer = {
  name: 'conformance-words',
  vocabularySize: WORDS.length,
  encode: (text) => (text.match(/\s*\S+|\s+$/g) ?? []).map((word) => IDS.get(word) ?? word.length % WORDS.length),
  decode: (ids) => ids.map((id) => WORDS[id] ?? '').join(''),
  count: (text) => (text.match(/\s*\S+|\s+$/g) ?? []).length,
  specialIds: new Set(),
}
