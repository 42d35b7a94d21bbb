import { defineDatasetLoader, type LoadReport, type OptionsSchema, type Source } from '@aiperf/core'
import { openCorpus, type CorpusChoice } from './text/corpus.js'
import { datasetRows } from './tables/datasetRows.js'
import { HashBlocks } from './trace/hashBlocks.js'
import { looksLikeMooncake, readMooncakeRow } from './trace/mooncakeRow.js'
import type { TraceRow } from './trace/traceRow.js'
import { traceSessions } from './trace/traceSessions.js'
import { turnMaker } from './trace/traceTurn.js'

const BLOCK_SIZE = 512

interface Options {
  prompts?: { blockSize?: number } & CorpusChoice
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
        let blocks: HashBlocks | undefined
        const rows = async function* (): AsyncGenerator<TraceRow> {
          for await (const row of readRows(source, blockSize, report)) {
            // The tokenizer is asked for only when a prompt has to be made.
            if (row.content.kind === 'tokens' && !blocks) {
              const corpus = await openCorpus(prompts, await context.tokenizer())
              blocks = new HashBlocks(corpus, context.random('dataset.blocks'), blockSize)
            }
            yield row
          }
        }
        const makeTurn = turnMaker(() => blocks!, blockSize)
        const schedule = { fixedSchedule: context.fixedSchedule, wholeHistory: traceContext === 'cumulative' }
        yield* traceSessions(rows(), makeTurn, schedule, report)
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
