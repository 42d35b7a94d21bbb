import { isJsonObject, type Json, type LoadReport, type Source } from '@aiperf/core'
import { RowReader } from '../rows/rowReader.js'
import { datasetRows } from '../tables/datasetRows.js'
import type { TableRow } from '../tables/tableRow.js'
import { readHashIds } from './mooncakeRow.js'
import type { TraceRow } from './traceRow.js'

/** Tokens that a hash id stands for, where nothing else is said. */
export const BAILIAN_BLOCK = 16
const KEYS = ['chat_id', 'parent_chat_id', 'timestamp', 'input_length', 'output_length', 'type', 'turn', 'hash_ids']

/** A request of a Bailian trace: it knows the request before it, not its conversation. */
export interface BailianRow extends TraceRow {
  chatId: string
  /** Undefined on the first request of a conversation. */
  parentId: string | undefined
  turn: number
}

export function looksLikeBailian(row: Json | undefined): boolean {
  return isJsonObject(row) && ['chat_id', 'timestamp', 'input_length', 'output_length'].every((key) => key in row)
}

/** The good rows of a trace, all read first: which conversation a request belongs to is known when its first request is. */
export async function* bailianRows(source: Source, blockSize: number, report: LoadReport): AsyncGenerator<BailianRow> {
  const rows: BailianRow[] = []
  for await (const from of datasetRows(source, report)) {
    const row = readBailianRow(from, blockSize, report)
    if (row) rows.push(row)
  }
  yield* bailianSessions(rows)
}

/** Reads a row; undefined when it was reported as bad. */
export function readBailianRow(from: TableRow, blockSize: number, report: LoadReport): BailianRow | undefined {
  const row = new RowReader(from, report)
  row.require('chat_id', 'timestamp', 'input_length', 'output_length')
  const chatId = row.id('chat_id')
  const parent = row.id('parent_chat_id')
  const seconds = row.number('timestamp', 'a time of 0 or more, seconds')
  const inputTokens = row.integer('input_length', 'a whole number of tokens of at least 1', 1)
  const outputTokens = row.integer('output_length', 'a whole number of tokens of at least 1', 1)
  const turn = row.integer('turn', 'a whole number of 0 or more') ?? 1
  const hashIds = readHashIds(row, inputTokens, blockSize)
  row.onlyKnown(KEYS)
  if (!row.accept() || chatId === undefined || seconds === undefined || inputTokens === undefined || outputTokens === undefined) return undefined
  return {
    file: from.file, line: from.line, chatId, turn, outputTokens,
    parentId: parent === '-1' ? undefined : parent,
    // Decimal shift by rounding to the nearest ns: 3.3 s are 3300 ms, not 3299.9999999999995.
    timestampMs: Math.round(seconds * 1e9) / 1e6,
    content: { kind: 'tokens', inputTokens, hashIds },
  }
}

/**
 * Gives every request the id of its conversation: that of the first request of its chain of parents. A parent that the
 * trace does not hold, or a loop, ends the chain.
 */
function bailianSessions(rows: readonly BailianRow[]): BailianRow[] {
  const byChat = new Map(rows.map((row) => [row.chatId, row]))
  const roots = new Map<string, string>()
  for (const row of rows) {
    const seen = new Set<string>()
    let at = row
    while (!roots.has(at.chatId) && at.parentId !== undefined && byChat.has(at.parentId) && !seen.has(at.parentId)) {
      seen.add(at.chatId)
      at = byChat.get(at.parentId)!
    }
    const root = roots.get(at.chatId) ?? at.chatId
    for (const chat of seen) roots.set(chat, root)
    roots.set(row.chatId, root)
  }
  // Stable, so that requests of one turn number keep the order of the file.
  return rows.map((row) => ({ ...row, sessionId: roots.get(row.chatId)! })).sort((a, b) => a.turn - b.turn)
}
