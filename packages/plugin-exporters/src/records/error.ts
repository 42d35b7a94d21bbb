import type { Outcome, RecordView, RequestError } from '@aiperf/core'
import type { ByteText } from '../format/byte-text.js'

/** What to say of a record that failed without an error of its own, so that no reader takes it for a success. */
const UNSAID: Partial<Record<Outcome, Omit<RequestError, 'category'>>> = {
  censored: { type: 'RequestUnfinished', message: 'Not finished when the phase ended; the times are those reached by then' },
  cancelled: { code: 499, type: 'RequestCancellationError', message: 'Cancelled by the client as the run asked for' },
  incomplete: { type: 'IncompleteStream', message: 'The response ended with neither a finish reason nor an end marker' },
}

/** The error of a record as files show it; undefined for a success. */
export function errorOf(record: RecordView): RequestError | undefined {
  if (record.success) return undefined
  if (record.error !== undefined) return record.error
  return { ...(UNSAID[record.outcomeName] ?? { type: record.outcomeName, message: 'The request failed' }), category: record.outcomeName }
}

export function writeError(text: ByteText, error: RequestError): void {
  text.byte(123)
  if (error.code !== undefined && Number.isInteger(error.code)) {
    text.ascii('"code":')
    text.integer(error.code)
    text.byte(44)
  }
  text.ascii('"type":')
  text.string(error.type)
  text.ascii(',"message":')
  text.string(error.message)
  text.ascii(',"category":"')
  text.ascii(error.category)
  text.ascii('"}')
}
