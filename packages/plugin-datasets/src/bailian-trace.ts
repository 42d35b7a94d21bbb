import { firstRow } from './tables/firstRow.js'
import { BAILIAN_BLOCK, bailianRows, looksLikeBailian } from './trace/bailianRow.js'
import { replayed, type TraceSettings } from './trace/replay.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/**
 * Bailian traces: JSON lines with time stamps in seconds, chained by the request before. Lengths and hash ids are those of
 * the whole context, so each turn is sent as it stands; with `traceContext: delta` the history is put before it.
 */
export default defineRecordedLoader<TraceSettings>({
  create(context) {
    const { prompts, traceContext = 'cumulative' } = context.options
    const blockSize = prompts?.blockSize ?? BAILIAN_BLOCK
    return {
      detect: (head) => looksLikeBailian(firstRow(head)),
      load: (source, report) => replayed(context, bailianRows(source, blockSize, report), blockSize, traceContext === 'cumulative', report),
    }
  },
})
