import { isJsonObject, type Json, type LoadReport, type Source } from '@aiperf/core'
import { messagesOf } from '../rows/messages.js'
import { RowReader, shown } from '../rows/rowReader.js'
import { datasetRows } from '../tables/datasetRows.js'
import type { TableRow } from '../tables/tableRow.js'
import type { HashId, TraceContent, TraceRow } from './traceRow.js'

/** Tokens that a hash id stands for, where nothing else is said. */
export const MOONCAKE_BLOCK = 512
const CONTENT = ['input_length', 'text_input', 'messages', 'payload'] as const
const KEYS = [...CONTENT, 'timestamp', 'delay', 'output_length', 'hash_ids', 'session_id', 'tools', 'extra', 'priority', 'group_id', 'is_restart']

/** Whether a row is one of a Mooncake trace; plain request bodies, which have `messages` too, are none. */
export function looksLikeMooncake(row: Json | undefined): boolean {
  if (!isJsonObject(row)) return false
  if ('question_id' in row && 'category' in row) return false // SPEED-Bench
  if ('chat_id' in row) return false // Bailian
  const present = CONTENT.filter((key) => key in row)
  if (present.length !== 1) return false
  if (present[0] === 'input_length') return typeof row['input_length'] === 'number'
  const ofATrace = ['timestamp', 'delay', 'output_length', 'session_id'].some((key) => key in row)
  return present[0] === 'messages' ? ofATrace && !('model' in row) : true
}

/** The good rows of a trace. */
export async function* mooncakeRows(source: Source, blockSize: number, report: LoadReport): AsyncGenerator<TraceRow> {
  for await (const from of datasetRows(source, report)) {
    const row = readMooncakeRow(from, blockSize, report)
    if (row) yield row
  }
}

/** Reads a row of a Mooncake trace; undefined when it was reported as bad. */
export function readMooncakeRow(from: TableRow, blockSize: number, report: LoadReport): TraceRow | undefined {
  const row = new RowReader(from, report)
  const timestampMs = row.number('timestamp', 'a time of 0 or more, ms')
  const delayMs = row.number('delay', 'a wait of 0 or more, ms')
  const outputTokens = row.integer('output_length', 'a whole number of tokens of at least 1', 1)
  const sessionId = row.id('session_id')
  const extra = row.object('extra')
  const content = readContent(row, blockSize)
  row.onlyKnown(KEYS)
  if (!row.accept() || !content) return undefined
  return {
    file: from.file, line: from.line, content,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(timestampMs === undefined ? {} : { timestampMs }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(extra === undefined ? {} : { extra }),
  }
}

function readContent(row: RowReader, blockSize: number): TraceContent | undefined {
  const key = row.oneOf(CONTENT)
  if (key === undefined) return undefined
  if (row.has('hash_ids') && key !== 'input_length') row.wrong(`hash_ids: expected only beside input_length, got ${key}`)
  if (row.has('tools') && key !== 'messages') row.wrong(`tools: expected only beside messages, got ${key}`)
  switch (key) {
    case 'input_length': {
      const inputTokens = row.integer(key, 'a whole number of tokens of at least 1', 1)
      const hashIds = readHashIds(row, inputTokens, blockSize)
      return inputTokens === undefined ? undefined : { kind: 'tokens', inputTokens, hashIds }
    }
    case 'text_input': {
      const text = row.text(key)
      if (text === '') return row.expected(key, 'a text that is not empty')
      return text === undefined ? undefined : { kind: 'text', text }
    }
    case 'messages': {
      const messages = messagesOf(row)
      const tools = row.array('tools', 'a list of tools')
      return messages && { kind: 'messages', messages, ...(tools ? { tools } : {}) }
    }
    default: {
      const payload = row.object('payload')
      if (!payload) return undefined
      return Object.keys(payload).length === 0 ? row.wrong('payload: expected a request body, got an empty object') : { kind: 'payload', payload }
    }
  }
}

/** Hash ids of a row whose prompt has `inputTokens` tokens: none of their blocks may be empty. */
export function readHashIds(row: RowReader, inputTokens: number | undefined, blockSize: number): readonly HashId[] {
  const ids = row.array('hash_ids', 'a list of whole numbers') ?? []
  for (const [at, id] of ids.entries())
    if (!(Number.isInteger(id) || (typeof id === 'string' && /^-?\d{16,}$/.test(id)))) {
      row.wrong(`hash_ids[${at}]: expected a whole number, got ${shown(id)}`)
      return []
    }
  if (inputTokens !== undefined && ids.length > 0 && inputTokens <= (ids.length - 1) * blockSize)
    row.wrong(
      `hash_ids and input_length contradict each other: ${ids.length} blocks of ${blockSize} tokens need an input_length of ` +
        `${(ids.length - 1) * blockSize + 1} to ${ids.length * blockSize}, got ${inputTokens} (is --isl-block-size right?)`,
    )
  if (inputTokens !== undefined && ids.length > 0 && inputTokens > ids.length * blockSize)
    row.note('hash_ids stand for fewer tokens than input_length; the rest of such prompts is text of their own')
  return ids as HashId[]
}
