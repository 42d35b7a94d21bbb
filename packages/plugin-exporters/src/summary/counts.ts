import type { PhaseResult } from '@aiperf/core'

export interface RequestCounts {
  succeeded: number
  failed: number
  /** Cancelled by the client on purpose, and not finished when the phase ended. */
  cancelled: number
  unfinished: number
}

/** How the requests of a phase ended: counted from records, and from the scheduler where no metric says it. */
export function requestCounts({ info: { counts }, metrics }: PhaseResult): RequestCounts {
  const failed = metrics.get('error_request_count')?.avg ?? counts.errors
  return {
    succeeded: metrics.get('request_count')?.avg ?? Math.max(0, counts.completed - counts.errors - counts.cancelled),
    failed,
    cancelled: counts.cancelled,
    unfinished: counts.censored,
  }
}
