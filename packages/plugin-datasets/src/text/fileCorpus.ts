import { readFile } from 'node:fs/promises'
import { AiperfError, type Random, type Tokenizer } from '@aiperf/core'
import type { Corpus } from './corpus.js'
import { exactText } from './exactText.js'
import { lexiconOf } from './lexicon.js'

/** The words of a user's file: a prompt is a run of them from a random place, going on at the beginning. */
export async function fileCorpus(path: string, tokenizer: Tokenizer): Promise<Corpus> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    throw new AiperfError('E_INPUT_FILE', `The corpus ${path} cannot be read: ${(error as Error).message}`, { hint: 'give the path of a text file with --prompt-corpus-file' })
  }
  const words = content.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) throw new AiperfError('E_INPUT_FILE', `The corpus ${path} holds no words`)
  const fillers = lexiconOf(tokenizer)?.words ?? [' a']
  const counts = new Map<string, number>()
  const leader = tokenizer.count('a')
  const countOf = (word: string): number => {
    let count = counts.get(word)
    if (count === undefined) counts.set(word, (count = tokenizer.count(`a ${word}`) - leader))
    return count
  }
  const checked = (text: string, tokens: number, random?: Random): string =>
    tokenizer.count(text) === tokens
      ? text
      : exactText(tokenizer, text, tokens, (count) => fillers.slice(0, count).join('') || ` ${words[random?.integer(0, words.length - 1) ?? 0]}`)
  return {
    text(random, tokens) {
      const parts: string[] = []
      let left = tokens
      for (let at = random.integer(0, words.length - 1); left > 0; at = (at + 1) % words.length) {
        const word = words[at]!
        const count = countOf(word)
        if (count > left) break
        parts.push(word)
        left -= count
      }
      const text = parts.join(' ') + fillers.slice(0, left).join('')
      return checked(parts.length === 0 ? text.trimStart() : text, tokens, random)
    },
    join: (parts, tokens) => checked(parts.join(' '), tokens),
  }
}
