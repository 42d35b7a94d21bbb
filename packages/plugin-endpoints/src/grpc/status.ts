import type { TransportFailure } from '@aiperf/core'

const OK = 0
const CANCELLED = 1
const DEADLINE_EXCEEDED = 4
const UNAVAILABLE = 14

/** HTTP statuses of gRPC's codes (google/rpc/code.proto). */
const HTTP: Readonly<Record<number, number>> = {
  1: 499, 2: 500, 3: 400, 4: 504, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 11: 400, 12: 501, 13: 500, 14: 503, 15: 500, 16: 401,
}

export function httpStatusOf(code: number): number {
  return code === OK ? 200 : (HTTP[code] ?? 500)
}

/** What a status means below HTTP; undefined when the server itself answered so. */
export function failureOf(code: number, details: string, afterFirstByte: boolean): TransportFailure | undefined {
  if (code === CANCELLED) return { category: 'cancelled', code: 'CANCELLED', message: details, afterFirstByte }
  if (code === DEADLINE_EXCEEDED) return { category: 'timeout', code: 'TIMEOUT', message: details, afterFirstByte }
  const cause = /E[A-Z]{4,}/.exec(details)?.[0]
  if (code === UNAVAILABLE && /^Name resolution failed/i.test(details)) return { category: 'dns', code: cause ?? 'ENOTFOUND', message: details, afterFirstByte }
  if (code === UNAVAILABLE && /^No connection established/i.test(details)) return { category: /certificate|TLS|SSL/i.test(details) ? 'tls' : 'connect', code: cause ?? 'UNAVAILABLE', message: details, afterFirstByte }
  if (code === UNAVAILABLE && (cause !== undefined || /connection dropped|stream removed/i.test(details))) return { category: 'reset', code: cause ?? 'ECONNRESET', message: details, afterFirstByte }
  return undefined
}
