import type { LoadReport, Source } from '@aiperf/core'
import { conversationsOf, NEEDS_TIMESTAMP } from './rows/conversations.js'
import { datasetRows } from './tables/datasetRows.js'
import { firstRow } from './tables/firstRow.js'
import { adjustTiming, type TimingSettings } from './trace/timing.js'
import { looksLikeTurn, readTurnRow, type TurnRow } from './rows/turnRow.js'
import { defineRecordedLoader, type OutputLengthSettings } from './rows/recordedLoader.js'

/** JSON lines of one request each; rows with one session id are sent in file order, each for itself. */
export default defineRecordedLoader<TimingSettings & OutputLengthSettings>({
  create({ fixedSchedule, options }) {
    return {
      detect: (head) => looksLikeTurn(firstRow(head)),
      async *load(source, report) {
        const accept = (row: TurnRow, first: TurnRow | undefined): boolean => {
          if (first || !fixedSchedule || row.turn.timestampMs !== undefined) return true
          report.bad(row, NEEDS_TIMESTAMP)
          return false
        }
        for await (const { id, rows } of conversationsOf(readRows(source, report), accept))
          yield {
            id,
            turns: rows.map((row) => adjustTiming(row.turn, options)),
            ...(rows[0]!.sessionId === undefined ? {} : { contextMode: 'message_array_with_responses' as const }),
          }
      },
    }
  },
})

async function* readRows(source: Source, report: LoadReport): AsyncGenerator<TurnRow> {
  for await (const from of datasetRows(source, report)) {
    const row = await readTurnRow(from, report, source.path)
    if (row) yield row
  }
}
