import type { Metric, RecordView, RunResult } from '@aiperf/core'
import type { ByteText } from '../format/byte-text.js'
import { errorOf, writeError } from './error.js'
import { MetadataWriter } from './metadata.js'
import { tallyObject } from '../summary/tally.js'
import { writeTrace } from './trace.js'

type Value = (tag: string) => number | Float64Array | undefined

interface Column {
  readonly tag: string
  readonly head: Buffer
  readonly tail: Buffer
  /** The number written last; and the whole member with it, once it came twice: many metrics seldom change. */
  last: number
  member: Buffer | undefined
}

/** Whether per-request files show this metric. */
export function isIndividual(metric: Metric, internal: boolean): boolean {
  if (metric.internal && !internal) return false
  if (metric.kind === 'record') return !metric.noIndividualRecords
  return metric.kind === 'aggregate' && metric.individualRecords === true
}

/** Writes one line of `profile_export.jsonl` per record. */
export class RecordLineWriter {
  readonly #metadata: MetadataWriter
  readonly #columns: Column[]
  readonly #trace: boolean

  constructor(run: RunResult) {
    this.#metadata = new MetadataWriter(run)
    this.#trace = run.output.httpTrace
    this.#columns = run.metrics
      .filter((metric) => isIndividual(metric, run.output.internalMetrics))
      .map((metric) => ({
        tag: metric.tag,
        head: Buffer.from(`${JSON.stringify(metric.tag)}:{"value":`),
        tail: Buffer.from(`,"unit":${JSON.stringify(metric.displayUnit ?? metric.unit)}}`),
        last: Number.NaN,
        member: undefined,
      }))
  }

  write(text: ByteText, record: RecordView, value: Value): void {
    text.ascii('{"metadata":')
    this.#metadata.write(text, record)
    text.ascii(',"metrics":{')
    let first = true
    for (const column of this.#columns) {
      const found = value(column.tag)
      if (found === undefined) continue
      const isNumber = typeof found === 'number'
      if (isNumber ? !Number.isFinite(found) : found.length === 0) continue
      if (first) first = false
      else text.byte(44)
      if (isNumber && found === column.last) {
        text.bytes((column.member ??= Buffer.concat([column.head, Buffer.from(String(found)), column.tail])))
        continue
      }
      text.bytes(column.head)
      if (isNumber) {
        text.number((column.last = found))
        column.member = undefined
      } else writeList(text, found)
      text.bytes(column.tail)
    }
    text.byte(125)
    if (this.#trace) {
      text.ascii(',"trace_data":')
      writeTrace(text, record, this.#metadata)
    }
    writeAcceptance(text, record, value)
    const error = errorOf(record)
    if (error !== undefined) {
      text.ascii(',"error":')
      writeError(text, error)
    }
    text.ascii('}\n')
  }
}

/** What the server reported of the request's speculative decoding, when it says as much as readers of this object need. */
function writeAcceptance(text: ByteText, record: RecordView, value: Value): void {
  const steps = value('spec_decode_steps')
  if (steps === undefined) return
  const histogram = record.field('spec_decode_acceptance_histogram')
  const drafted = value('spec_decode_draft_tokens')
  const rate = value('spec_decode_draft_acceptance_rate') as number | undefined
  if (typeof histogram !== 'object' || drafted === undefined || rate === undefined) return
  text.ascii(',"spec_decode_acceptance":')
  text.json(JSON.stringify({
    engine: 'vllm',
    mean_acceptance_length: value('spec_decode_acceptance_length'),
    draft_acceptance_rate: rate / 100,
    acceptance_histogram: tallyObject(histogram),
    num_accepted_draft_tokens: value('spec_decode_accepted_draft_tokens'),
    num_draft_tokens: drafted,
    num_spec_steps: steps,
  }))
}

function writeList(text: ByteText, values: Float64Array): void {
  text.byte(91)
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text.byte(44)
    if (Number.isFinite(values[i])) text.number(values[i]!)
    else text.ascii('null')
  }
  text.byte(93)
}
