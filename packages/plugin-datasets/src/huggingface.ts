import { existsSync } from 'node:fs'
import { AiperfError, defineTokenizer, type OptionsSchema } from '@aiperf/core'
import { loadHuggingfaceTokenizer, tokenizerFilesAt } from './tokenizers/huggingfaceTokenizer.js'

interface Options {
  revision?: string
  applyChatTemplate?: boolean
  pattern?: 'o200k' | 'cl100k' | 'r50k'
}

/**
 * Tokenizers by path or by name: a folder or file with a tokenizer.json, a tiktoken rank file, or a model of the Hugging
 * Face hub. What is on this machine goes first.
 */
export default defineTokenizer<OptionsSchema<Options>>({
  async create({ name, options }) {
    const chat = { chat: options.applyChatTemplate ?? false }
    if (name.endsWith('.tiktoken') && existsSync(name)) return (await import('./tokenizers/encodings.js')).loadRankFile(name, options.pattern)
    const local = tokenizerFilesAt(name)
    if (local) return loadHuggingfaceTokenizer(name, local, chat)
    // A path, not a name of the hub: looking it up there would only hide the mistake.
    if (/^[./~]|^[a-z]:[\\/]|\\/i.test(name) || name.split('/').length > 2 || existsSync(name))
      throw new AiperfError('E_INPUT_FILE', `No tokenizer at "${name}": expected a folder with a tokenizer.json, or that file`, {
        hint: 'give the path of a tokenizer.json, or --tokenizer builtin',
      })
    const [{ Hub }, { fetchTokenizer }] = await Promise.all([import('./hub/hub.js'), import('./tokenizers/resolveTokenizer.js')])
    const fetched = await fetchTokenizer(name, options.revision ?? 'main', new Hub('E_TOKENIZER'))
    return loadHuggingfaceTokenizer(fetched.name, fetched.files, chat)
  },
})
