import type { Random } from '@aiperf/core'
import type { Corpus } from '../text/corpus.js'
import type { PrefixSettings } from './settings.js'

/** Texts that conversations share or are led by. Each is made once, on first use. */
export interface Prefixes {
  /** A prefix of the pool for a conversation's first turn, and its tokens. */
  pooled?(random: Random): string
  pooledTokens: number
  system?(): string
  userContext?(conversation: number): string
}

export function prefixesOf(settings: PrefixSettings, corpus: Corpus, random: Random): Prefixes {
  const { poolSize = 0, length = 0, sharedSystemLength, userContextLength } = settings
  const prefixes: Prefixes = { pooledTokens: length }
  if (poolSize > 0 && length > 0) {
    const pool = new Map<number, string>()
    prefixes.pooled = (stream) => {
      const at = stream.integer(0, poolSize - 1)
      let text = pool.get(at)
      if (text === undefined) pool.set(at, (text = corpus.text(random.fork(`prefix ${at}`), length)))
      return text
    }
  }
  if (sharedSystemLength) {
    let text: string | undefined
    prefixes.system = () => (text ??= corpus.text(random.fork('system'), sharedSystemLength))
  }
  if (userContextLength) prefixes.userContext = (conversation) => corpus.text(random.fork(`context ${conversation}`), userContextLength)
  return prefixes
}
