import { AiperfError, type EncodeInput, type MediaItem, type Turn } from '@aiperf/core'

/** The turn whose request is made: the last one. */
export function lastTurn(input: EncodeInput): Turn {
  const turn = input.turns.at(-1)
  if (turn === undefined) throw encodeError('a request needs a turn, got none')
  return turn
}

/** The only turn of endpoints that have no conversation. */
export function onlyTurn(input: EncodeInput, endpoint: string): Turn {
  if (input.turns.length !== 1) {
    throw encodeError(`${endpoint} takes one turn per request, got ${input.turns.length}`, 'use a dataset of single-turn conversations, or an endpoint with a conversation such as chat')
  }
  return input.turns[0]!
}

/** All contents that are not empty, groups in order. */
export function contentsOf(items: readonly MediaItem[] | undefined): string[] {
  return items === undefined ? [] : items.flatMap((item) => item.contents.filter((content) => content !== ''))
}

export function encodeError(message: string, hint?: string): AiperfError {
  return new AiperfError('E_ENCODE', message, hint === undefined ? {} : { hint })
}
