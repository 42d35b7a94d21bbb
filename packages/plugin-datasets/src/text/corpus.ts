import type { Random, Tokenizer } from '@aiperf/core'

/**
 * A source of text by length. Texts are a function of the stream alone: the same stream gives the same text, and of two
 * lengths the shorter is a prefix of the longer, in characters and in tokens.
 */
export interface Corpus {
  /** Text of exactly `tokens` tokens (at least 1). */
  text(random: Random, tokens: number): string
  /** One text of these parts, which are texts of this corpus with `tokens` tokens in all. */
  join(parts: readonly string[], tokens: number): string
}

/** Names of `--prompt-corpus`. */
export type CorpusName = 'sonnet' | 'coding' | 'random'

export async function openCorpus(name: CorpusName, tokenizer: Tokenizer): Promise<Corpus> {
  if (name === 'sonnet') return (await import('./proseCorpus.js')).proseCorpus(tokenizer)
  throw new Error(`corpus ${name}`)
}
