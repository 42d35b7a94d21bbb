import type { DatasetContext, Turn } from '@aiperf/core'
import { openCorpus, type CorpusChoice } from '../text/corpus.js'
import { HashBlocks } from './hashBlocks.js'
import type { TraceRow } from './traceRow.js'
import { turnMaker } from './traceTurn.js'

export interface TracePrompts extends CorpusChoice {
  blockSize?: number
}

/**
 * Turns of a trace whose prompts are made from lengths and hash ids. `rows` hands on what it is given, and has the corpus
 * ready before the first row that needs it: traces of messages alone need no tokenizer.
 */
export function hashPrompts(context: DatasetContext<unknown>, prompts: TracePrompts, blockSize: number) {
  let blocks: HashBlocks | undefined
  return {
    makeTurn: turnMaker(() => blocks!, blockSize) as (row: TraceRow) => Turn,
    async *rows<Row extends TraceRow>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
      for await (const row of rows) {
        if (row.content.kind === 'tokens') blocks ??= new HashBlocks(await openCorpus(prompts, await context.tokenizer()), context.random('dataset.blocks'), blockSize)
        yield row
      }
    },
  }
}
