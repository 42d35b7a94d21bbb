import { AiperfError, defineTokenizer } from '@aiperf/core'
import { loadHuggingfaceTokenizer, tokenizerFilesAt } from './tokenizers/huggingfaceTokenizer.js'

/** Hugging Face tokenizers: a folder or file with a tokenizer.json on this machine. */
export default defineTokenizer({
  async create({ name }) {
    const local = tokenizerFilesAt(name)
    if (local) return loadHuggingfaceTokenizer(name, local)
    throw new AiperfError('E_TOKENIZER', `No tokenizer at "${name}": expected a folder with a tokenizer.json, or that file`, {
      hint: 'give --tokenizer builtin, or the path of a tokenizer.json',
    })
  },
})
