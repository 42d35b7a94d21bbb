import { firstRow } from './tables/firstRow.js'
import { replayed, type TraceSettings } from './trace/replay.js'
import { looksLikeMooncake, MOONCAKE_BLOCK, mooncakeRows } from './trace/mooncakeRow.js'
import { defineRecordedLoader } from './rows/recordedLoader.js'

/** Mooncake traces: JSON lines with lengths and hash ids, texts, messages or whole payloads, and time stamps in ms. */
export default defineRecordedLoader<TraceSettings>({
  create(context) {
    const { prompts, traceContext = 'delta' } = context.options
    const blockSize = prompts?.blockSize ?? MOONCAKE_BLOCK
    return {
      detect: (head) => looksLikeMooncake(firstRow(head)),
      load: (source, report) => replayed(context, mooncakeRows(source, blockSize, report), blockSize, traceContext === 'cumulative', report),
    }
  },
})
