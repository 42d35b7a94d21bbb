import { AiperfError, type Head, type LoadReport, type Source } from '@aiperf/core'
import { BAILIAN_BLOCK, bailianRows, looksLikeBailian } from '../trace/bailianRow.js'
import { looksLikeMooncake, MOONCAKE_BLOCK, mooncakeRows } from '../trace/mooncakeRow.js'
import type { TraceRow } from '../trace/traceRow.js'
import { analyseTrace, type TraceAnalysis } from './traceAnalysis.js'

const BLOCK_SIZE = { mooncake_trace: MOONCAKE_BLOCK, bailian_trace: BAILIAN_BLOCK }
export type AnalysableFormat = keyof typeof BLOCK_SIZE

/** The trace format of a file, by its first record. */
export function traceFormatOf(head: Head): AnalysableFormat {
  if (looksLikeBailian(head.first)) return 'bailian_trace'
  if (looksLikeMooncake(head.first)) return 'mooncake_trace'
  throw new AiperfError('E_DATASET', `${head.name} is no trace that can be analysed: expected rows of mooncake_trace or bailian_trace`, { hint: 'every row needs an input_length, and hash_ids for cache figures' })
}

/** Reads and analyses a trace. Bad lines go to the report; `finish` it afterwards. */
export function analyzeTrace(source: Source, format: AnalysableFormat, report: LoadReport, blockSize: number = BLOCK_SIZE[format]): Promise<TraceAnalysis> {
  return analyseTrace(rowsOf(source, format, report, blockSize), blockSize)
}

async function* rowsOf(source: Source, format: AnalysableFormat, report: LoadReport, blockSize: number): AsyncGenerator<TraceRow> {
  if (format === 'mooncake_trace') return yield* mooncakeRows(source, blockSize, report)
  const rows: TraceRow[] = []
  for await (const row of bailianRows(source, blockSize, report)) rows.push(row)
  yield* rows.sort((a, b) => a.timestampMs! - b.timestampMs!)
}
