import type { Random, Turn } from '@aiperf/core'
import { tokensOf } from '../distributions/distribution.js'
import type { Corpus } from '../text/corpus.js'
import type { SyntheticSettings } from './settings.js'

/** Makes ranking requests: one query and some passages. */
export function rankingTurns(settings: NonNullable<SyntheticSettings['rankings']>, corpus: Corpus): (random: Random) => Turn {
  const passages = tokensOf(settings.passages, 10)
  const passageTokens = tokensOf(settings.passageTokens, 128)
  const queryTokens = tokensOf(settings.queryTokens, 32)
  return (random) => {
    let total = 0
    const text = (name: string, draw: typeof passages): string => {
      const stream = random.fork(name)
      const tokens = draw(stream)
      total += tokens
      return corpus.text(stream, tokens)
    }
    const query = text('query', queryTokens)
    const contents = Array.from({ length: passages(random.fork('passages')) }, (_, at) => text(`passage ${at}`, passageTokens))
    return { texts: [{ name: 'query', contents: [query] }, { name: 'passages', contents }], inputTokens: total }
  }
}
