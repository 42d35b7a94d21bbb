import { defineDatasetLoader, type OptionsSchema } from '@aiperf/core'
import { datasetRows } from './tables/datasetRows.js'
import { bailianSessions, looksLikeBailian, readBailianRow, type BailianRow } from './trace/bailianRow.js'
import { hashPrompts, type TracePrompts } from './trace/hashPrompts.js'
import { traceSessions } from './trace/traceSessions.js'

const BLOCK_SIZE = 16

interface Options {
  prompts?: TracePrompts
  traceContext?: 'delta' | 'cumulative'
}

/**
 * Bailian traces: JSON lines with time stamps in seconds, chained by the request before. Lengths and hash ids are those of
 * the whole context, so each turn is sent as it stands; with `traceContext: delta` the history is put before it.
 */
export default defineDatasetLoader<OptionsSchema<Options>>({
  create(context) {
    const { prompts = {}, traceContext = 'cumulative' } = context.options
    const blockSize = prompts.blockSize ?? BLOCK_SIZE
    return {
      detect: (head) => head.type === 'file' && looksLikeBailian(head.first),
      async *load(source, report) {
        const rows: BailianRow[] = []
        for await (const from of datasetRows(source, report)) {
          const row = readBailianRow(from, blockSize, report)
          if (row) rows.push(row)
        }
        const made = hashPrompts(context, prompts, blockSize)
        const settings = { fixedSchedule: context.fixedSchedule, wholeHistory: traceContext === 'cumulative' }
        yield* traceSessions(made.rows(bailianSessions(rows)), made.makeTurn, settings, report)
      },
    }
  },
})
