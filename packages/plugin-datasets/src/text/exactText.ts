import { AiperfError, type Tokenizer } from '@aiperf/core'

const ROUNDS = 24

/**
 * A text of exactly `tokens` tokens near the one given, for tokenizers whose counts do not add up: too much is cut off
 * by tokens, too little is made up from `more`.
 *
 * @throws AiperfError E_DATASET when no such text was found.
 */
export function exactText(tokenizer: Tokenizer, text: string, tokens: number, more: (count: number) => string): string {
  let best = text
  for (let round = 0; round < ROUNDS; round++) {
    const ids = tokenizer.encode(best)
    if (ids.length === tokens) return best
    // A cut can join what was apart, so every other round takes one token more than it must.
    if (ids.length > tokens) best = tokenizer.decode(ids.slice(0, Math.max(1, tokens - (round % 3)))).trimEnd()
    else best += more(tokens - ids.length)
  }
  throw new AiperfError('E_DATASET', `No text of exactly ${tokens} tokens could be made with the tokenizer ${tokenizer.name}`, {
    hint: 'choose another length or --prompt-corpus',
  })
}
