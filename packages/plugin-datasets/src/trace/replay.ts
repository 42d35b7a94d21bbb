import type { Distribution } from '../distributions/distribution.js'
import type { DatasetContext, LoadReport, Session } from '@aiperf/core'
import { openCorpus, type CorpusChoice } from '../text/corpus.js'
import { HashBlocks } from './hashBlocks.js'
import { synthesised, type SynthesisSettings } from './synthesis.js'
import type { TimingSettings } from './timing.js'
import type { TraceRow } from './traceRow.js'
import { traceSessions } from './traceSessions.js'
import { turnMaker } from './traceTurn.js'

/** Options that the formats with generated prompts share. */
export interface TraceSettings extends TimingSettings {
  prompts?: CorpusChoice & { blockSize?: number; osl?: Distribution }
  traceContext?: 'delta' | 'cumulative'
  synthesis?: SynthesisSettings
}

/**
 * The conversations of a trace whose prompts are made from lengths and hash ids. The corpus is opened before the first
 * row that needs it: traces of messages alone need no tokenizer.
 */
export async function* replayed(context: DatasetContext<TraceSettings>, rows: AsyncIterable<TraceRow>, blockSize: number, wholeHistory: boolean, report: LoadReport): AsyncGenerator<Session> {
  const { prompts = {}, synthesis } = context.options
  let blocks: HashBlocks | undefined
  async function* prepared(): AsyncGenerator<TraceRow> {
    for await (const row of synthesis ? synthesised(rows, synthesis, blockSize, context.random('dataset.synthesis'), report) : rows) {
      if (row.content.kind === 'tokens') blocks ??= new HashBlocks(await openCorpus(prompts, await context.tokenizer()), context.random('dataset.blocks'), blockSize)
      yield row
    }
  }
  yield* traceSessions(prepared(), turnMaker(() => blocks!, blockSize), { ...context.options, fixedSchedule: context.fixedSchedule, wholeHistory }, report)
}
