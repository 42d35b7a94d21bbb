import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, type LoadReport, type Session, type Source, type Turn } from '@aiperf/core'
import { messagesOf } from './rows/messages.js'
import { RowReader } from './rows/rowReader.js'
import { firstRows, lineFiles } from './tables/folderRows.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/** Requests that SageMaker captured: JSON lines in a file or in a tree of folders, sent at the distances they came at. */
export default defineRecordedLoader({
  create() {
    return {
      detect: (head) => looksCaptured(head.type === 'directory' ? firstRows(head.path, true)[0] : head.first),
      async *load(source, report) {
        const captured: { id: string; atMs: number; turn: Turn }[] = []
        for (const path of capturedFiles(source))
          for await (const from of path === undefined ? source.rows() : source.rows(path)) {
            const read = readCaptured(from, report)
            if (read) captured.push(read)
          }
        captured.sort((a, b) => a.atMs - b.atMs)
        const first = captured[0]?.atMs ?? 0
        const ids = new Map<string, number>()
        for (const { id, atMs, turn } of captured) {
          const copies = (ids.get(id) ?? 0) + 1
          ids.set(id, copies)
          const session: Session = { id: copies === 1 ? id : `${id}_${copies}`, turns: [{ ...turn, timestampMs: atMs - first }], contextMode: 'message_array_with_responses' }
          yield session
        }
      },
    }
  },
})

const looksCaptured = (row: Json | undefined): boolean => isJsonObject(row) && 'captureData' in row && 'eventMetadata' in row

/** The files to read, in the order of their names; undefined for inline records. */
function capturedFiles(source: Source): (string | undefined)[] {
  if (source.path === undefined || !statSync(source.path).isDirectory()) return [source.path]
  return lineFiles(source.path, true).map((name) => join(source.path!, name))
}

function readCaptured(from: { row: JsonObject; file: string; line: number }, report: LoadReport): { id: string; atMs: number; turn: Turn } | undefined {
  const metadata = isJsonObject(from.row['eventMetadata']) ? from.row['eventMetadata'] : {}
  const id = typeof metadata['eventId'] === 'string' ? metadata['eventId'] : undefined
  const bad = (reason: string): undefined => report.bad(from, id === undefined ? reason : `event ${id}: ${reason}`) as undefined
  const capture = isJsonObject(from.row['captureData']) ? from.row['captureData'] : undefined
  if (!capture) return bad('captureData: expected an object')
  const atMs = typeof metadata['inferenceTime'] === 'string' ? Date.parse(metadata['inferenceTime']) : Number.NaN
  if (Number.isNaN(atMs)) return bad('eventMetadata.inferenceTime: expected a date and time such as 2025-01-01T00:00:00Z')
  const input = decoded(capture['endpointInput'])
  if (!isJsonObject(input)) return bad('captureData.endpointInput: expected "data" that is a JSON object, plain or as BASE64')
  const within = { bad: (_: object, reason: string) => void bad(reason), warn: (message: string) => report.warn(message) }
  const row = new RowReader({ ...from, row: input }, within)
  row.require('messages')
  const messages = messagesOf(row)
  const tools = row.array('tools', 'a list of tools')
  const limit = row.has('max_tokens') ? 'max_tokens' : 'max_completion_tokens'
  const maxTokens = row.integer(limit, 'a whole number of tokens of at least 1', 1)
  if (!row.accept() || !messages) return undefined
  const output = decoded(capture['endpointOutput'])
  const usage = isJsonObject(output) && isJsonObject(output['usage']) ? output['usage']['prompt_tokens'] : undefined
  return {
    id: id ?? `line_${from.line}`,
    atMs,
    turn: {
      rawMessages: messages,
      ...(tools ? { rawTools: tools } : {}),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(typeof usage === 'number' ? { inputTokens: usage } : {}),
    },
  }
}

/** The JSON that was captured; undefined when there is none. */
function decoded(side: Json | undefined): Json | undefined {
  if (!isJsonObject(side) || typeof side['data'] !== 'string') return undefined
  const text = side['encoding'] === 'JSON' ? side['data'] : Buffer.from(side['data'], 'base64').toString('utf8')
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
