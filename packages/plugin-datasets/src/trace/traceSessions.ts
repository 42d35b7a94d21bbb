import type { LoadReport, Session, Turn } from '@aiperf/core'
import { conversationsOf, NEEDS_TIMESTAMP } from '../rows/conversations.js'
import { adjustTiming, type TimingSettings } from './timing.js'
import { historyKind, type TraceRow } from './traceRow.js'

/** The conversations of a trace. */
export async function* traceSessions(
  rows: AsyncIterable<TraceRow>,
  makeTurn: (row: TraceRow) => Turn,
  options: TimingSettings & { fixedSchedule: boolean; wholeHistory: boolean },
  report: LoadReport,
): AsyncGenerator<Session> {
  const accept = (row: TraceRow, first: TraceRow | undefined): boolean => {
    if (!first) {
      if (!options.fixedSchedule || row.timestampMs !== undefined) return true
      report.bad(row, NEEDS_TIMESTAMP)
      return false
    }
    if (historyKind(row.content) === historyKind(first.content)) return true
    report.bad(row, `session_id: session "${row.sessionId}" began with ${first.content.kind}, expected the same kind, got ${row.content.kind}`)
    return false
  }
  for await (const { id, rows: own } of conversationsOf(rows, accept)) {
    const generated = historyKind(own[0]!.content) === 'generated'
    const whole = generated ? options.wholeHistory : true
    yield { id, turns: own.map((row) => adjustTiming(makeTurn(row), options)), ...(whole ? { contextMode: 'message_array_with_responses' as const } : {}) }
  }
}
