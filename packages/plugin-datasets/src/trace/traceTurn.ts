import type { Turn } from '@aiperf/core'
import { madeWhenRead } from '../text/madeWhenRead.js'
import type { HashBlocks } from './hashBlocks.js'
import type { HashId, TraceRow } from './traceRow.js'

/** Makes the turns of a trace. The text of a generated prompt is made when it is read, so that a long trace costs little. */
export function turnMaker(blocks: () => HashBlocks, blockSize: number): (row: TraceRow) => Turn {
  const wide = new Map<string, number>()
  // Ids that no number can hold are numbered downwards from −1, so that equal stays equal.
  const numberOf = (id: HashId): number => {
    if (typeof id === 'number') return id
    const known = wide.get(id)
    if (known !== undefined) return known
    wide.set(id, -1 - wide.size)
    return -wide.size
  }
  return (row) => {
    const turn: Turn = {
      ...(row.timestampMs === undefined ? {} : { timestampMs: row.timestampMs }),
      ...(row.delayMs === undefined ? {} : { delayMs: row.delayMs }),
      ...(row.outputTokens === undefined ? {} : { maxTokens: row.outputTokens }),
      ...(row.extra === undefined ? {} : { extraBody: row.extra }),
    }
    const { content } = row
    switch (content.kind) {
      case 'messages':
        return { ...turn, rawMessages: content.messages, ...(content.tools === undefined ? {} : { rawTools: content.tools }) }
      case 'payload':
        return { ...turn, rawPayload: content.payload }
      case 'text':
        return { ...turn, texts: [{ contents: [content.text] }] }
      case 'tokens': {
        const { hashIds, inputTokens } = content
        turn.inputTokens = inputTokens
        if (hashIds.length > 0) {
          turn.hashIds = hashIds.every((id) => typeof id === 'number') ? (hashIds as number[]) : hashIds.map(numberOf)
          turn.blockSize = blockSize
        }
        return madeWhenRead(turn, () => [blocks().prompt(hashIds, inputTokens, `${row.line}`)])
      }
    }
  }
}
