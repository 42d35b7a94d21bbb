import { isJsonObject, type Json, type JsonObject, type LoadReport, type Session, type Source, type Turn } from '@aiperf/core'
import { conversationsOf, NEEDS_TIMESTAMP } from './rows/conversations.js'
import { datasetRows } from './tables/datasetRows.js'
import { firstRow } from './tables/firstRow.js'
import { adjustTiming, type TimingSettings } from './trace/timing.js'
import { RowReader, shown, type RowReport } from './rows/rowReader.js'
import { looksLikeTurn, readTurnRow } from './rows/turnRow.js'
import { defineRecordedLoader, type OutputLengthSettings } from './rows/recordedLoader.js'

interface ConversationRow {
  sessionId?: string
  turns: Turn[]
  file: string
  line: number
}

/** JSON lines of one conversation each; lines with one session id continue it. */
export default defineRecordedLoader<TimingSettings & OutputLengthSettings>({
  create({ fixedSchedule, endpoint, options }) {
    return {
      detect: (head) => looksLikeConversation(firstRow(head)),
      async *load(source, report) {
        const accept = (row: ConversationRow, first: ConversationRow | undefined): boolean => {
          const { turns } = row
          // A system turn that leads is no request of its own.
          const opening = turns[0]!.role === 'system' && turns.length > 1 ? turns[1]! : turns[0]!
          if (first || !fixedSchedule || (turns[0]!.timestampMs ?? opening.timestampMs) !== undefined) return true
          report.bad(row, NEEDS_TIMESTAMP)
          return false
        }
        for await (const { id, rows } of conversationsOf(readRows(source, report), accept))
          yield sessionOf(id, rows.flatMap((row) => row.turns).map((turn) => adjustTiming(turn, options)), endpoint.consumesSystemMessage)
      },
    }
  },
})

function looksLikeConversation(row: Json | undefined): boolean {
  if (!isJsonObject(row)) return false
  const turns = row['turns']
  return Array.isArray(turns) && turns.length > 0 && turns.every(looksLikeTurn)
}

async function* readRows(source: Source, report: LoadReport): AsyncGenerator<ConversationRow> {
  for await (const from of datasetRows(source, report)) {
    const row = new RowReader(from, report)
    const sessionId = row.id('session_id')
    row.onlyKnown(['session_id', 'turns', 'type'])
    row.require('turns')
    const list = row.array('turns', 'a list of turns')
    if (list?.length === 0) row.expected('turns', 'at least one turn')
    for (const [at, turn] of (list ?? []).entries()) if (!isJsonObject(turn)) row.wrong(`turns[${at}]: expected an object, got ${shown(turn)}`)
    if (!row.accept() || !list) continue
    const turns = await readTurns(list as JsonObject[], { file: from.file, line: from.line }, report, source.path)
    if (turns) yield { turns, file: from.file, line: from.line, ...(sessionId === undefined ? {} : { sessionId }) }
  }
}

async function readTurns(list: JsonObject[], from: { file: string; line: number }, report: LoadReport, path: string | undefined): Promise<Turn[] | undefined> {
  const turns: Turn[] = []
  for (const [at, row] of list.entries()) {
    const within: RowReport = { bad: (where, reason) => report.bad(where, `turns[${at}]: ${reason}`), warn: (message) => report.warn(message) }
    const read = await readTurnRow({ ...from, row }, within, path)
    if (!read) return undefined
    turns.push(read.turn)
  }
  return turns
}

/** A leading system turn of plain text becomes the system message, where the endpoint has one. */
function sessionOf(id: string, turns: Turn[], systemMessages: boolean): Session {
  const [first, second] = turns
  const text = first?.texts?.length === 1 && first.texts[0]!.contents.length === 1 ? first.texts[0]!.contents[0]! : undefined
  const plain = first?.role === 'system' && text !== undefined && Object.keys(first).every((key) => key === 'texts' || key === 'role')
  if (!systemMessages || !plain || !second || second.role === 'system') return { id, turns }
  return { id, turns: turns.slice(1), system: text }
}
