import type { Metric, RecordView, RunResult } from '@aiperf/core'
import { errorOf } from '../records/error.js'
import { isIndividual } from '../records/line.js'
import { startOf } from '../records/metadata.js'

export type Cell = number | bigint | string | number[] | null
type Value = (tag: string) => number | Float64Array | undefined

/** One column of the Parquet file: its type and how a record fills it. */
export interface ParquetColumn {
  name: string
  /** `VALUE`: a number or a list of numbers; the first row group tells which. */
  type: 'INT32' | 'INT64' | 'STRING' | 'VALUE'
  cell(record: RecordView, value: Value): Cell
}

/** Columns in order: identity, times (Unix ns), outcome, then every metric of single requests. */
export function parquetColumns(run: RunResult): ParquetColumn[] {
  const { phases, endpoint } = run.manifest
  const int32 = (name: string, fact: (record: RecordView) => number | undefined): ParquetColumn => ({ name, type: 'INT32', cell: (record) => known(fact(record)) })
  const string = (name: string, text: (record: RecordView) => string | undefined): ParquetColumn => ({ name, type: 'STRING', cell: (record) => text(record) || null })
  const time = (name: string, ns: (record: RecordView) => number): ParquetColumn => ({ name, type: 'INT64', cell: (record) => (Number.isNaN(ns(record)) ? null : run.unixNs(ns(record))) })
  return [
    { name: 'ordinal', type: 'INT64', cell: (record) => BigInt(record.ordinal) },
    int32('phase_index', (r) => phases[r.phase]?.index),
    string('phase_name', (r) => phases[r.phase]?.name),
    string('phase_kind', (r) => phases[r.phase]?.kind),
    int32('session_num', (r) => r.session),
    int32('turn_index', (r) => r.turn),
    string('conversation_id', (r) => run.conversationId(r)),
    string('x_request_id', (r) => run.requestId(r)),
    string('x_correlation_id', (r) => run.correlationId(r)),
    int32('worker', (r) => r.worker),
    string('url', (r) => endpoint.urls[r.url]),
    string('model', (r) => endpoint.models[r.model]),
    time('request_due_ns', (r) => r.dueNs),
    time('credit_issued_ns', (r) => r.claimedNs),
    time('request_start_ns', (r) => startOf(r)),
    time('request_written_ns', (r) => r.writtenNs),
    time('request_ack_ns', (r) => r.headNs),
    time('first_token_ns', (r) => r.firstTokenNs),
    time('last_token_ns', (r) => r.lastTokenNs),
    time('request_end_ns', (r) => r.endNs),
    string('outcome', (r) => r.outcomeName),
    string('finish_reason', (r) => r.finishReason),
    int32('http_status', (r) => (r.status === 0 ? undefined : r.status)),
    int32('error_code', (r) => errorOf(r)?.code),
    string('error_type', (r) => errorOf(r)?.type),
    string('error_message', (r) => errorOf(r)?.message),
    ...run.metrics.filter((metric) => isIndividual(metric, run.output.internalMetrics)).map(metricColumn),
  ]
}

function metricColumn({ tag }: Metric): ParquetColumn {
  return {
    name: tag,
    type: 'VALUE',
    cell: (_, value) => {
      const found = value(tag)
      if (typeof found === 'number') return Number.isFinite(found) ? found : null
      return found === undefined ? null : Array.from(found)
    },
  }
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value
}
