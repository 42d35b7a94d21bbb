import { AiperfError, ConfigurationError, ERRORS, type ErrorCode } from '@aiperf/core'
import type { FromFailed } from '../control/messages.js'

/** An error as data, to cross threads. */
export function packFailure(error: unknown, code: ErrorCode = 'E_INTERNAL'): FromFailed {
  const e = error as Partial<ConfigurationError> & Error
  const known = typeof e?.code === 'string' && e.code in ERRORS
  return {
    type: 'failed',
    code: known ? (e.code as string) : code,
    message: e?.message ?? String(error),
    ...(e?.hint ? { hint: e.hint } : {}),
    ...(e?.problems ? { problems: [...e.problems] } : {}),
    ...(known || !e?.stack ? {} : { stack: e.stack }),
  }
}

export function unpackFailure(packed: FromFailed & { stack?: string }): AiperfError {
  const code = packed.code as ErrorCode
  if (packed.problems) return new ConfigurationError(packed.problems, code)
  const error = new AiperfError(code, packed.message, packed.hint === undefined ? {} : { hint: packed.hint })
  if (packed.stack) error.stack = packed.stack
  return error
}
