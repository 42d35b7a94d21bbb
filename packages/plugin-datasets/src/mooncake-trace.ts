import type { LoadReport, Source } from '@aiperf/core'
import { datasetRows } from './tables/datasetRows.js'
import { firstRow } from './tables/firstRow.js'
import { replayed, type TraceSettings } from './trace/replay.js'
import { looksLikeMooncake, readMooncakeRow } from './trace/mooncakeRow.js'
import type { TraceRow } from './trace/traceRow.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

const BLOCK_SIZE = 512

/** Mooncake traces: JSON lines with lengths and hash ids, texts, messages or whole payloads, and time stamps in ms. */
export default defineRecordedLoader<TraceSettings>({
  create(context) {
    const { prompts, traceContext = 'delta' } = context.options
    const blockSize = prompts?.blockSize ?? BLOCK_SIZE
    return {
      detect: (head) => looksLikeMooncake(firstRow(head)),
      load: (source, report) => replayed(context, readRows(source, blockSize, report), blockSize, traceContext === 'cumulative', report),
    }
  },
})

async function* readRows(source: Source, blockSize: number, report: LoadReport): AsyncGenerator<TraceRow> {
  for await (const from of datasetRows(source, report)) {
    const row = readMooncakeRow(from, blockSize, report)
    if (row) yield row
  }
}
