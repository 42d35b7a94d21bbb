import type { Random, Tokenizer } from '@aiperf/core'

/**
 * A source of text by length. Texts are a function of the stream alone: the same stream gives the same text, and of two
 * lengths the shorter is a prefix of the longer, in characters and in tokens. (A user's file keeps to that up to its last
 * word, and vocabularies without whole words not at all.)
 */
export interface Corpus {
  /** Text of exactly `tokens` tokens (at least 1). */
  text(random: Random, tokens: number): string
  /** One text of these parts, which are texts of this corpus with `tokens` tokens in all. */
  join(parts: readonly string[], tokens: number): string
}

/** Names of `--prompt-corpus`. */
export type CorpusName = 'sonnet' | 'coding' | 'random'

export interface CorpusChoice {
  corpus?: CorpusName
  /** A text file that takes the corpus's place. */
  corpusFile?: string
}

/** Opens the corpus that the options choose; the kinds that are not chosen are not loaded. */
export async function openCorpus({ corpus = 'sonnet', corpusFile }: CorpusChoice, tokenizer: Tokenizer): Promise<Corpus> {
  if (corpusFile !== undefined) return (await import('./fileCorpus.js')).fileCorpus(corpusFile, tokenizer)
  switch (corpus) {
    case 'coding':
      return (await import('./codeCorpus.js')).codeCorpus(tokenizer)
    case 'random':
      return (await import('./vocabularyCorpus.js')).vocabularyCorpus(tokenizer)
    default:
      return (await import('./proseCorpus.js')).proseCorpus(tokenizer)
  }
}
