import type { Constraint } from '@aiperf/core'

/** Limits of service levels, as the options of recipes name them. */
export interface SlaOptions {
  ttftSlaMs?: number
  itlSlaMs?: number
  e2eSlaMs?: number
  errorRateSla?: number
}

const below = (tag: string, stat: string, threshold: number): Constraint => ({ tag, stat, op: '<', threshold })

export const ttftLimit = (ms: number): Constraint => below('time_to_first_token', 'p95', ms)
export const itlLimit = (ms: number): Constraint => below('inter_token_latency', 'p95', ms)

/** Every limit that was given. Error rates are measured in percent. */
export function slaLimits({ ttftSlaMs, itlSlaMs, e2eSlaMs, errorRateSla }: SlaOptions): Constraint[] {
  return [
    ...(ttftSlaMs === undefined ? [] : [ttftLimit(ttftSlaMs)]),
    ...(itlSlaMs === undefined ? [] : [itlLimit(itlSlaMs)]),
    ...(e2eSlaMs === undefined ? [] : [below('request_latency', 'p99', e2eSlaMs)]),
    ...(errorRateSla === undefined ? [] : [below('request_error_rate', 'avg', 100 * errorRateSla)]),
  ]
}
