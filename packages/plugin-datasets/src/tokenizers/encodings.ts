import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AiperfError } from '@aiperf/core'
import { readPreparedRanks } from './preparedRanks.js'
import { readRankTable } from './rankTable.js'
import { RankTokenizer } from './rankTokenizer.js'
import { splitPatterns } from './splitPatterns.js'

interface Encoding {
  /** Rank file in the package that carries it. */
  ranks: 'o200k_base' | 'cl100k_base' | 'p50k_base' | 'r50k_base'
  split: keyof typeof splitPatterns
  special: Record<string, number>
  vocabularySize: number
}

const END_OF_TEXT = '<|endoftext|>'
const END_OF_PROMPT = '<|endofprompt|>'
const FILL_IN = ['<|fim_prefix|>', '<|fim_middle|>', '<|fim_suffix|>'] as const
const fillIn = (from: number) => Object.fromEntries(FILL_IN.map((text, i) => [text, from + i]))

/** Special tokens of the gpt-oss format: a few named ones, and reserved ids between and after them. */
function harmony(): Record<string, number> {
  const named: Record<number, string> = {
    199998: '<|startoftext|>', 199999: END_OF_TEXT, 200002: '<|return|>', 200003: '<|constrain|>', 200005: '<|channel|>',
    200006: '<|start|>', 200007: '<|end|>', 200008: '<|message|>', 200012: '<|call|>', 200018: END_OF_PROMPT,
  }
  const special: Record<string, number> = {}
  for (let id = 199998; id < 201088; id++) special[named[id] ?? `<|reserved_${id}|>`] = id
  return special
}

/** The tiktoken encodings by name. Source: openai_public.py of tiktoken. */
const encodings: Record<string, () => Encoding> = {
  o200k_base: () => ({
    ranks: 'o200k_base', split: 'o200k', vocabularySize: 200019, special: { [END_OF_TEXT]: 199999, [END_OF_PROMPT]: 200018 },
  }),
  o200k_harmony: () => ({ ranks: 'o200k_base', split: 'o200k', vocabularySize: 201088, special: harmony() }),
  cl100k_base: () => ({
    ranks: 'cl100k_base', split: 'cl100k', vocabularySize: 100277,
    special: { [END_OF_TEXT]: 100257, ...fillIn(100258), [END_OF_PROMPT]: 100276 },
  }),
  p50k_base: () => ({ ranks: 'p50k_base', split: 'r50k', vocabularySize: 50281, special: { [END_OF_TEXT]: 50256 } }),
  p50k_edit: () => ({
    ranks: 'p50k_base', split: 'r50k', vocabularySize: 50284, special: { [END_OF_TEXT]: 50256, ...fillIn(50281) },
  }),
  r50k_base: () => ({ ranks: 'r50k_base', split: 'r50k', vocabularySize: 50257, special: { [END_OF_TEXT]: 50256 } }),
}

export const ENCODING_NAMES: readonly string[] = Object.keys(encodings)

/**
 * Loads a tiktoken rank file. How text is cut is no part of such a file: it is told by the name (`o200k…`, `cl100k…`,
 * `p50k…`, `r50k…`) or by `pattern`.
 *
 * @throws AiperfError E_TOKENIZER
 */
export function loadRankFile(path: string, pattern?: keyof typeof splitPatterns): RankTokenizer {
  const name = basename(path).replace(/\.tiktoken$/, '')
  const known = (['o200k', 'cl100k', 'p50k', 'r50k'] as const).find((family) => name.startsWith(family))
  const split = pattern ?? (known === 'p50k' ? 'r50k' : known)
  if (split === undefined)
    throw new AiperfError('E_TOKENIZER', `${path} does not say how text is cut into pieces: expected a name that begins with o200k, cl100k, p50k or r50k`, {
      hint: 'give --tokenizer-pattern o200k, cl100k or r50k',
    })
  const file = () => readFileSync(path)
  const table = readRankTable(file(), path)
  return new RankTokenizer({ name, file, table, split: splitPatterns[split](), special: {}, vocabularySize: table.size })
}

/** Loads a tiktoken encoding from the installed package of rank files; the network is never used. */
export function loadEncoding(name: string): RankTokenizer | undefined {
  const encoding = encodings[name]?.()
  if (!encoding) return undefined
  const path = fileURLToPath(import.meta.resolve(`gpt-tokenizer/data/${encoding.ranks}.tiktoken`))
  const file = () => readFileSync(path)
  const prepared = fileURLToPath(new URL('../../generated/', import.meta.url))
  const table = readPreparedRanks(`${prepared}${encoding.ranks}.ranks`, statSync(path).size) ?? readRankTable(file(), path)
  return new RankTokenizer({
    name, file, table, split: splitPatterns[encoding.split](),
    special: encoding.special, vocabularySize: encoding.vocabularySize,
  })
}
