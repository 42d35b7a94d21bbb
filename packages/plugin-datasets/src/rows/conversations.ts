import { SessionIds } from './sessionIds.js'

/** A row that may belong to a conversation. */
export interface SessionRow {
  sessionId?: string
}

export interface Conversation<Row> {
  /** Unique within the dataset. */
  id: string
  rows: Row[]
}

/**
 * Groups rows into conversations: rows with one session id belong together in file order, whatever stands between them; a
 * row without is a conversation of its own. Conversations come in the order of their first rows. As long as no row names
 * a session each is handed on at once; after that the rest has to be read first.
 *
 * `accept` judges a row, given the first of its conversation (undefined: it begins one); a row that is refused is left out.
 */
export async function* conversationsOf<Row extends SessionRow>(
  rows: AsyncIterable<Row>,
  accept: (row: Row, first: Row | undefined) => boolean = () => true,
): AsyncGenerator<Conversation<Row>> {
  const ids = new SessionIds()
  const waiting: { id: string | undefined; rows: Row[] }[] = []
  const byId = new Map<string, Row[]>()
  let index = 0
  for await (const row of rows) {
    const id = row.sessionId
    const begun = id === undefined ? undefined : byId.get(id)
    if (!accept(row, begun?.[0])) continue
    if (begun) {
      begun.push(row)
      continue
    }
    const conversation = { id, rows: [row] }
    if (id !== undefined) {
      ids.take(id)
      byId.set(id, conversation.rows)
    }
    if (byId.size > 0) waiting.push(conversation)
    else yield { id: ids.next(index++), rows: conversation.rows }
  }
  for (const conversation of waiting) {
    yield { id: conversation.id ?? ids.next(index), rows: conversation.rows }
    index++
  }
}

/** What a first turn without a time stamp is told under a fixed schedule. */
export const NEEDS_TIMESTAMP = 'timestamp: is required on the first turn of a conversation under a fixed schedule, got nothing'
