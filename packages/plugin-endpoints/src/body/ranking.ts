import type { EncodeInput, MediaItem, Turn } from '@aiperf/core'
import { encodeError, onlyTurn } from './turn.js'

/** What a ranking request is made of. */
export interface Ranking {
  turn: Turn
  query: string
  passages: string[]
}

/** Reads the texts named `query` (or `queries`) and `passages`; the first query counts, other names are not sent. */
export function rankingOf(input: EncodeInput, endpoint: string): Ranking {
  const turn = onlyTurn(input, endpoint)
  const query = contents(turn.texts, ['query', 'queries'])[0]
  if (query === undefined) {
    throw encodeError(`${endpoint} needs a text named "query", got ${names(turn.texts)}`, 'use a dataset with named texts: {"texts": [{"name": "query", "contents": ["…"]}, {"name": "passages", "contents": ["…"]}]}')
  }
  return { turn, query, passages: contents(turn.texts, ['passages']) }
}

function contents(texts: readonly MediaItem[] | undefined, wanted: readonly string[]): string[] {
  return (texts ?? []).filter((item) => item.name !== undefined && wanted.includes(item.name)).flatMap((item) => item.contents)
}

function names(texts: readonly MediaItem[] | undefined): string {
  const found = (texts ?? []).map((item) => item.name || 'one without a name')
  return found.length === 0 ? 'no texts' : found.join(', ')
}
