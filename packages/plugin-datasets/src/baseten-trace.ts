import { ConfigurationError, type LoadReport, type Problem, type Source, type Turn } from '@aiperf/core'
import { conversationsOf } from './rows/conversations.js'
import { RowReader, shown } from './rows/rowReader.js'
import { datasetRows, tableFormat } from './tables/datasetRows.js'
import { fileTail } from './tables/fileTail.js'
import { capIdleGaps, fromTraceStart, sampleSessions, speedUp, type Timed } from './trace/replayTiming.js'
import { adjustTiming, type TimingSettings } from './trace/timing.js'
import { defineRecordedLoader, type OutputLengthSettings } from './rows/recordedLoader.js'

const REQUIRED = ['timestamp_start_unix_ms', 'prompt', 'input_tokens', 'output_tokens'] as const
const BLOCK_SIZE = 64

interface Options extends TimingSettings, OutputLengthSettings {
  replaySpeedup?: number
  openLoopReplay?: boolean
  openLoopStrict?: boolean
  omitKvHints?: boolean
  forceMinTokens?: boolean
  traceSessionSampleRatio?: number
  maxIdleGapCapSeconds?: number
}

interface BasetenRow extends Timed {
  turn: Turn
}

/** What contradicts itself between the options. */
export function check(options: Options): Problem[] {
  if (!options.openLoopStrict || options.openLoopReplay !== false) return []
  return [{ flags: ['--open-loop-strict', '--no-open-loop-replay'], message: '--open-loop-strict and --no-open-loop-replay contradict each other', hint: 'give one of them' }]
}

/** Traces of Baseten: Parquet or Arrow tables of literal prompts with the times they came at. */
export default defineRecordedLoader<Options>({
  create(context) {
    const { options } = context
    const problems = check(options)
    if (problems.length > 0) throw new ConfigurationError(problems)
    return {
      detect: (head) => head.type === 'file' && ['parquet', 'arrow'].includes(tableFormat(head.name)) && namesColumns(head.bytes, head.path),
      async *load(source, report) {
        let rows: BasetenRow[] = []
        for await (const row of readRows(source, options, report)) rows.push(row)
        fromTraceStart(rows)
        const { traceSessionSampleRatio: share, maxIdleGapCapSeconds: cap, replaySpeedup: factor } = options
        if (share !== undefined && share < 1) rows = fromTraceStart(sampleSessions(rows, share, context.random('dataset.sessions')))
        if (cap !== undefined) capIdleGaps(rows, cap * 1000)
        if (factor !== undefined) speedUp(rows, factor)
        if (options.openLoopStrict) for (const row of rows) delete row.sessionId
        for await (const { id, rows: own } of conversationsOf(each(rows)))
          yield { id, turns: timedTurns(own, options.openLoopReplay ?? true).map((turn) => adjustTiming(turn, options)), contextMode: 'message_array_with_responses' as const }
      },
    }
  },
})

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

/** Open loop: every turn at its recorded time. Otherwise later turns wait as long after the reply as was recorded. */
function timedTurns(rows: readonly BasetenRow[], openLoop: boolean): Turn[] {
  return rows.map(({ turn, timestampMs }, at) => {
    const before = rows[at - 1]
    if (openLoop || !before) return { ...turn, timestampMs }
    return { ...turn, delayMs: Math.max(0, timestampMs - before.timestampMs - (before.durationMs ?? 0)) }
  })
}

/** Both formats name their columns in plain text: at the beginning of an Arrow file, at the end of a Parquet file. */
function namesColumns(bytes: Uint8Array, path: string): boolean {
  const text = Buffer.concat([bytes, fileTail(path)]).toString('latin1')
  return REQUIRED.every((column) => text.includes(column))
}

async function* readRows(source: Source, options: Options, report: LoadReport): AsyncGenerator<BasetenRow> {
  for await (const from of datasetRows(source, report)) {
    const row = new RowReader(from, report)
    row.require(...REQUIRED)
    const timestampMs = row.number('timestamp_start_unix_ms', 'a time, ms')
    const prompt = row.text('prompt')
    const inputTokens = row.integer('input_tokens', 'a whole number of tokens of 0 or more')
    const output = row.integer('output_tokens', 'a whole number of tokens of 0 or more')
    const durationMs = row.number('duration_e2e_ms', 'a time of 0 or more, ms')
    const sessionId = row.id('provided_session_id') ?? row.id('poor_man_session_id')
    const hashes = row.array('total_hashes', 'a list of whole numbers')?.map(Number)
    const blockSize = row.integer('block_size', 'a whole number of at least 1', 1) ?? BLOCK_SIZE
    if (hashes?.some((id) => !Number.isFinite(id))) row.wrong(`total_hashes: expected whole numbers, got ${shown(row.value('total_hashes'))}`)
    if (!row.accept() || timestampMs === undefined || prompt === undefined || output === undefined) continue
    const maxTokens = Math.max(1, output)
    const hints = hashes && !options.omitKvHints ? { hash_ids: hashes, block_size: blockSize } : {}
    const least = (options.forceMinTokens ?? true) ? { min_tokens: maxTokens } : {}
    yield {
      timestampMs,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(durationMs === undefined ? {} : { durationMs }),
      turn: {
        texts: [{ contents: [prompt] }], maxTokens, extraBody: { ...least, ...hints },
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(hashes ? { hashIds: hashes, blockSize } : {}),
      },
    }
  }
}
