import type { LoadReport, Source } from '@aiperf/core'
import { datasetRows } from './tables/datasetRows.js'
import { firstRow } from './tables/firstRow.js'
import { bailianSessions, looksLikeBailian, readBailianRow, type BailianRow } from './trace/bailianRow.js'
import { replayed, type TraceSettings } from './trace/replay.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

const BLOCK_SIZE = 16

/**
 * Bailian traces: JSON lines with time stamps in seconds, chained by the request before. Lengths and hash ids are those of
 * the whole context, so each turn is sent as it stands; with `traceContext: delta` the history is put before it.
 */
export default defineRecordedLoader<TraceSettings>({
  create(context) {
    const { prompts, traceContext = 'cumulative' } = context.options
    const blockSize = prompts?.blockSize ?? BLOCK_SIZE
    return {
      detect: (head) => looksLikeBailian(firstRow(head)),
      load: (source, report) => replayed(context, readRows(source, blockSize, report), blockSize, traceContext === 'cumulative', report),
    }
  },
})

/** All rows: which conversation a request belongs to is known when its first request is. */
async function* readRows(source: Source, blockSize: number, report: LoadReport): AsyncGenerator<BailianRow> {
  const rows: BailianRow[] = []
  for await (const from of datasetRows(source, report)) {
    const row = readBailianRow(from, blockSize, report)
    if (row) rows.push(row)
  }
  yield* bailianSessions(rows)
}
