import { AiperfError, defineTokenizer } from '@aiperf/core'
import { ENCODING_NAMES, loadEncoding } from './tokenizers/encodings.js'

/** The tokenizers that come with the program: `builtin` is o200k_base, the others are named as tiktoken names them. */
export default defineTokenizer({
  create({ name }) {
    const tokenizer = loadEncoding(name === 'builtin' ? 'o200k_base' : name)
    if (tokenizer) return tokenizer
    throw new AiperfError('E_TOKENIZER', `No built-in tokenizer "${name}": expected builtin or one of ${ENCODING_NAMES.join(', ')}`)
  },
})
