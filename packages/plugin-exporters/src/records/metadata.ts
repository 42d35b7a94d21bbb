import type { RecordView, RunResult } from '@aiperf/core'
import type { ByteText } from '../format/byte-text.js'
import { UnixTime } from '../format/unix-time.js'

/** Writes the `metadata` object of a record, the same in every per-request file. */
export class MetadataWriter {
  readonly #run: RunResult
  readonly #time: UnixTime
  /** What is the same for all records of a phase, made once. */
  readonly #phases: Uint8Array[]

  constructor(run: RunResult) {
    this.#run = run
    this.#time = new UnixTime(run.unixNs(0))
    this.#phases = run.manifest.phases.map((phase) =>
      Buffer.from(
        `,"benchmark_phase":${JSON.stringify(phase.kind)},"phase_index":${phase.index}` +
          (phase.profilingIndex === undefined ? '' : `,"profiling_index":${phase.profilingIndex}`) +
          `,"phase_name":${JSON.stringify(phase.name)},"phase_kind":${JSON.stringify(phase.kind)}`,
      ),
    )
  }

  write(text: ByteText, record: RecordView): void {
    const correlation = this.#run.correlationId(record)
    text.ascii('{"session_num":')
    text.integer(record.session)
    text.ascii(',"x_request_id":')
    text.string(this.#run.requestId(record))
    text.ascii(',"x_correlation_id":')
    text.string(correlation)
    text.ascii(',"conversation_id":')
    text.string(this.#run.conversationId(record))
    text.ascii(',"turn_index":')
    text.integer(record.turn)
    this.time(text, ',"credit_issued_ns":', record.claimedNs)
    this.time(text, ',"request_start_ns":', startOf(record))
    this.time(text, ',"request_ack_ns":', record.headNs)
    this.time(text, ',"request_end_ns":', Number.isNaN(record.endNs) ? startOf(record) : record.endNs)
    text.ascii(',"worker_id":"worker_')
    text.integer(record.worker)
    text.ascii('","record_processor_id":"record_processor_')
    text.integer(record.recorder)
    text.byte(34)
    const phase = this.#phases[record.phase]
    if (phase !== undefined) text.bytes(phase)
    if (record.outcomeName === 'cancelled' || record.outcomeName === 'censored') {
      text.ascii(',"was_cancelled":true')
      this.time(text, ',"cancellation_time_ns":', record.endNs)
    } else text.ascii(',"was_cancelled":false')
    text.ascii(',"context_overflow_skip":false,"agent_depth":0,"root_correlation_id":')
    text.string(correlation)
    text.ascii(',"ordinal":')
    text.integer(record.ordinal)
    this.time(text, ',"request_due_ns":', record.dueNs)
    text.ascii(',"outcome":"')
    text.ascii(record.outcomeName)
    text.byte(34)
    const { finishReason } = record
    if (finishReason !== '') {
      text.ascii(',"finish_reason":')
      text.string(finishReason)
    }
    text.byte(125)
  }

  /** A member with a wall-clock time; nothing when there is no time. */
  time(text: ByteText, name: string, ns: number): void {
    if (Number.isNaN(ns)) return
    text.ascii(name)
    const seconds = this.#time.seconds(ns)
    if (seconds > 0) {
      text.integer(seconds)
      text.padded(this.#time.nanoseconds(ns), 9)
    } else text.integer(this.#time.nanoseconds(ns))
  }
}

/** When it was sent; a request that never was (censored in the queue) has its due time instead. */
export function startOf(record: RecordView): number {
  if (!Number.isNaN(record.dispatchedNs)) return record.dispatchedNs
  return Number.isNaN(record.claimedNs) ? record.dueNs : record.claimedNs
}
