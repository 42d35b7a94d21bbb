import { defineDatasetLoader, type LoadReport, type OptionsSchema, type Source } from '@aiperf/core'
import { datasetRows } from './tables/datasetRows.js'
import { hashPrompts, type TracePrompts } from './trace/hashPrompts.js'
import { looksLikeMooncake, readMooncakeRow } from './trace/mooncakeRow.js'
import type { TraceRow } from './trace/traceRow.js'
import { traceSessions } from './trace/traceSessions.js'

const BLOCK_SIZE = 512

interface Options {
  prompts?: TracePrompts
  traceContext?: 'delta' | 'cumulative'
}

/** Mooncake traces: JSON lines with lengths and hash ids, texts, messages or whole payloads, and time stamps in ms. */
export default defineDatasetLoader<OptionsSchema<Options>>({
  create(context) {
    const { prompts = {}, traceContext = 'delta' } = context.options
    const blockSize = prompts.blockSize ?? BLOCK_SIZE
    return {
      detect: (head) => head.type === 'file' && looksLikeMooncake(head.first),
      async *load(source, report) {
        const made = hashPrompts(context, prompts, blockSize)
        const settings = { fixedSchedule: context.fixedSchedule, wholeHistory: traceContext === 'cumulative' }
        yield* traceSessions(made.rows(readRows(source, blockSize, report)), made.makeTurn, settings, report)
      },
    }
  },
})

async function* readRows(source: Source, blockSize: number, report: LoadReport): AsyncGenerator<TraceRow> {
  for await (const from of datasetRows(source, report)) {
    const row = readMooncakeRow(from, blockSize, report)
    if (row) yield row
  }
}
