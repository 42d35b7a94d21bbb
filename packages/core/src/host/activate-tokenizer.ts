import type { JsonObject } from '../contracts/dataset.js'
import type { Tokenizer, TokenizerMeta } from '../contracts/tokenizer.js'
import type { Host } from './activate.js'
import { contributionsOf } from './find.js'

/** Loads a tokenizer: the contribution that answers to the name, else the one for repositories and folders. */
export function activateTokenizer(host: Host, name: string, options: JsonObject): Promise<Tokenizer> {
  const byName = contributionsOf(host.index, 'tokenizer').find((c) => c.name === name || (c.meta as unknown as TokenizerMeta).names?.includes(name))
  return host.activate('tokenizer', byName?.name ?? 'huggingface', { name, options })
}
