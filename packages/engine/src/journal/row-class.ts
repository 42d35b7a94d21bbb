import { OUTCOMES, type Outcome } from '@aiperf/core'

/** What became of a request, as far as metrics are concerned. */
export const ROW_CLASS = { success: 0, error: 1, cancelled: 2, censored: 3 } as const

const SUCCESS: ReadonlySet<Outcome> = new Set(['done', 'finish', 'body'])

/** Class of a record by the number of its outcome. */
export const CLASS_OF_OUTCOME = Uint8Array.from(OUTCOMES, (name) => {
  if (SUCCESS.has(name)) return ROW_CLASS.success
  return name === 'cancelled' || name === 'censored' ? ROW_CLASS[name] : ROW_CLASS.error
})
