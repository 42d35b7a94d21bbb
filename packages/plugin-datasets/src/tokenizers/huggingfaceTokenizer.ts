import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tokenizer as Library } from '@huggingface/tokenizers'
import { AiperfError, type Tokenizer } from '@aiperf/core'
import { readByteLevelModel } from './byteLevelModel.js'
import { byteLevelCut, ByteLevelTokenizer, type ByteLevelJson } from './byteLevelTokenizer.js'
import { chatTemplate, type ChatConfig } from './chatTemplate.js'
import { tokenizerRegions } from './tokenizerJson.js'

/** Files of a Hugging Face tokenizer on this machine. */
export interface TokenizerFiles {
  tokenizer: string
  config?: string
  /** Chat template in a file of its own. */
  template?: string
}

/** The tokenizer files a path means: a folder with a tokenizer.json, or that file itself; undefined when it is neither. */
export function tokenizerFilesAt(path: string): TokenizerFiles | undefined {
  if (!existsSync(path)) return undefined
  const tokenizer = statSync(path).isDirectory() ? join(path, 'tokenizer.json') : path
  if (!existsSync(tokenizer)) return undefined
  const config = join(dirname(tokenizer), 'tokenizer_config.json')
  const template = join(dirname(tokenizer), 'chat_template.jinja')
  return { tokenizer, ...(existsSync(config) ? { config } : {}), ...(existsSync(template) ? { template } : {}) }
}

interface TokenizerJson {
  model?: { type?: string; vocab?: Record<string, number> | [string, number][] }
  pre_tokenizer?: { type?: string } | null
  added_tokens?: { id: number; content: string; special?: boolean }[]
}

/** Reads a tokenizer.json (and its tokenizer_config.json) by Hugging Face's own JavaScript library. */
export async function loadHuggingfaceTokenizer(name: string, files: TokenizerFiles, options: { chat?: boolean } = {}): Promise<Tokenizer> {
  const file = readFileSync(files.tokenizer)
  const config = files.config === undefined ? {} : parse<ChatConfig>(readFileSync(files.config, 'utf8'), files.config)
  const hash = createHash('sha256').update(file).digest('hex')
  const made = (await leanTokenizer(name, file, files.tokenizer, hash)) ?? (await libraryTokenizer(name, file, files.tokenizer, config, hash))
  if (options.chat) {
    const chat = await chatTemplate(config, files.template === undefined ? undefined : readFileSync(files.template, 'utf8'))
    if (!chat) throw new AiperfError('E_TOKENIZER', `The tokenizer ${name} has no chat template`, { hint: 'leave out --apply-chat-template' })
    made.chat = chat
  }
  return made
}

/**
 * Byte-level models, which are most, in flat arrays: a vocabulary of 200,000 takes a tenth of the time and memory that
 * objects do. Undefined for the others.
 */
async function leanTokenizer(name: string, file: Buffer, path: string, hash: string): Promise<ByteLevelTokenizer | undefined> {
  const regions = tokenizerRegions(file)
  if (!regions) return undefined
  const json = parse<ByteLevelJson>(regions.rest, path)
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const cut = byteLevelCut(json, (preTokenizer) => new Tokenizer({ ...json, pre_tokenizer: preTokenizer, added_tokens: [], model: { type: 'BPE', vocab: {}, merges: [] } }, {}))
  const model = cut && readByteLevelModel(file, regions)
  return model && new ByteLevelTokenizer(name, hash, json, model, cut)
}

async function libraryTokenizer(name: string, file: Buffer, path: string, config: ChatConfig, hash: string): Promise<HuggingfaceTokenizer> {
  const json = parse<TokenizerJson>(file.toString(), path)
  if (!json.model) throw new AiperfError('E_TOKENIZER', `${path} is no tokenizer.json: expected an object with "model"`)
  const { Tokenizer } = await import('@huggingface/tokenizers')
  let library: Library
  try {
    library = new Tokenizer(json, config)
  } catch (error) {
    throw new AiperfError('E_TOKENIZER', `${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
  return new HuggingfaceTokenizer(name, library, json, hash)
}

function parse<T>(text: string, path: string): T {
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw new AiperfError('E_TOKENIZER', `${path} is not valid JSON: ${(error as Error).message}`)
  }
}

class HuggingfaceTokenizer implements Tokenizer {
  readonly name: string
  readonly hash: string
  readonly vocabularySize: number
  readonly specialIds: ReadonlySet<number>
  readonly splitsAtSpaces?: true
  chat?: (messages: readonly { role: string; content: string }[]) => string
  readonly #library: Library

  constructor(name: string, library: Library, json: TokenizerJson, hash: string) {
    this.name = name
    this.hash = hash
    this.#library = library
    const vocabulary = json.model?.vocab ?? {}
    const assigned = new Set(Array.isArray(vocabulary) ? vocabulary.keys() : Object.values(vocabulary))
    const special = new Set<number>()
    for (const token of json.added_tokens ?? []) {
      assigned.add(token.id)
      if (token.special) special.add(token.id)
    }
    let highest = -1
    for (const id of assigned) if (id > highest) highest = id
    this.vocabularySize = highest + 1
    for (let id = 0; id <= highest; id++) if (!assigned.has(id)) special.add(id)
    this.specialIds = special
    if (splitsAtSpaces(json)) this.splitsAtSpaces = true
  }

  encode(text: string): readonly number[] {
    return text === '' ? [] : this.#library.encode(text, { add_special_tokens: false }).ids
  }

  count(text: string): number {
    return this.encode(text).length
  }

  decode(ids: readonly number[]): string {
    return this.#library.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false })
  }
}

/** A space in the vocabulary of byte-level (Ġ) and sentencepiece (▁) models, behind something that is no white space. */
const SPACE_WITHIN = /[^ĠĊĉč▁][Ġ▁]/

/**
 * Whether no token reaches over a space: the model cuts at white space, or none of its tokens has a space behind
 * anything else, so that no merge can make one.
 */
function splitsAtSpaces({ model, pre_tokenizer: cut }: TokenizerJson): boolean {
  if (cut && ['BertPreTokenizer', 'Whitespace', 'WhitespaceSplit'].includes(cut.type ?? '')) return true
  if (!model?.vocab || (model.type !== 'BPE' && model.type !== 'Unigram')) return false
  const tokens = Array.isArray(model.vocab) ? model.vocab.map(([token]) => token) : Object.keys(model.vocab)
  let spaces = 0
  for (const token of tokens) {
    if (SPACE_WITHIN.test(token)) return false
    if (token.startsWith('Ġ') || token.startsWith('▁')) spaces++
  }
  return spaces > 0
}
