import type { LoadReport, Source } from '@aiperf/core'
import { RowReader } from './rows/rowReader.js'
import { csvRows } from './tables/csvRows.js'
import { replayed, type TraceSettings } from './trace/replay.js'
import type { TraceRow } from './trace/traceRow.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/** There are no hash ids, so it only rounds lengths that are scaled. */
const BLOCK_SIZE = 1
const COLUMNS = ['Timestamp', 'Request tokens', 'Response tokens']

/** BurstGPT traces: CSV with time stamps in seconds and token counts; one request per row. */
export default defineRecordedLoader<TraceSettings>({
  create(context) {
    return {
      detect: (head) => head.type === 'file' && hasColumns(Buffer.from(head.bytes).toString('utf8').replace(/^\ufeff/, '').split(/\r?\n/, 1)[0]!),
      load: (source, report) => replayed(context, readRows(source, report), BLOCK_SIZE, false, report),
    }
  },
})

const hasColumns = (header: string): boolean => COLUMNS.every((column) => header.split(',').some((cell) => cell.trim().replaceAll('"', '') === column))

async function* readRows(source: Source, report: LoadReport): AsyncGenerator<TraceRow> {
  let known = false
  for await (const from of csvRows(source, report, source.path!)) {
    const missing = known ? [] : COLUMNS.filter((column) => !(column in from.row))
    if (missing.length > 0) {
      report.bad({ file: from.file, line: 1 }, `expected the columns ${COLUMNS.join(', ')}, got ${Object.keys(from.row).join(', ')}`)
      return
    }
    known = true
    const row = new RowReader(from, report)
    row.require(...COLUMNS)
    const seconds = row.number('Timestamp', 'a time of 0 or more, seconds')
    const inputTokens = row.integer('Request tokens', 'a whole number of tokens of 0 or more')
    const outputTokens = row.integer('Response tokens', 'a whole number of tokens of 0 or more')
    if (!row.accept() || seconds === undefined || inputTokens === undefined || outputTokens === undefined) continue
    // The trace holds requests that failed; they have no answer to ask for.
    if (inputTokens === 0 || outputTokens === 0) report.skipped('a request without tokens: it had failed when the trace was recorded')
    else yield { file: from.file, line: from.line, timestampMs: Math.round(seconds * 1e9) / 1e6, outputTokens, content: { kind: 'tokens', inputTokens, hashIds: [] } }
  }
}
