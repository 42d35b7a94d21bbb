/**
 * Ids of requests and sessions: derived, so that they need not be stored, unique over runs by the run's own part, and
 * the same for the same seed. Shaped as UUIDs because servers and proxies expect one.
 */
const hex = (n: number, width: number): string => n.toString(16).padStart(width, '0')

export function requestId(runHex: string, ordinal: number): string {
  return `${runHex}-0000-4000-8000-${hex(ordinal, 12)}`
}

export function sessionId(runHex: string, phase: number, session: number): string {
  return `${runHex}-${hex(phase, 4)}-4000-9000-${hex(session, 12)}`
}
