import type { Random } from '@aiperf/core'

/** A recorded request with its place in time. */
export interface Timed {
  sessionId?: string
  timestampMs: number
  durationMs?: number
}

/** Time stamps from the first request of the trace on; the rows are brought into their order. */
export function fromTraceStart<Row extends Timed>(rows: Row[]): Row[] {
  rows.sort((a, b) => a.timestampMs - b.timestampMs)
  const first = rows[0]?.timestampMs ?? 0
  for (const row of rows) row.timestampMs -= first
  return rows
}

/** Makes every gap between one request and the next at most `capMs` long; what comes after moves forward. */
export function capIdleGaps(rows: readonly Timed[], capMs: number): void {
  let previous = 0
  let cut = 0
  for (const row of rows) {
    const gap = row.timestampMs - previous
    previous = row.timestampMs
    if (gap > capMs) cut += gap - capMs
    row.timestampMs -= cut
  }
}

/** Replays a trace faster: times and durations are divided. */
export function speedUp(rows: readonly Timed[], factor: number): void {
  for (const row of rows) {
    row.timestampMs /= factor
    if (row.durationMs !== undefined) row.durationMs /= factor
  }
}

/** Keeps about this share of the sessions, each as a whole; rows without one are sessions of their own. */
export function sampleSessions<Row extends Timed>(rows: readonly Row[], share: number, random: Random): Row[] {
  const kept = new Map<string, boolean>()
  return rows.filter((row, at) => {
    const key = row.sessionId ?? `row ${at}`
    let keep = kept.get(key)
    if (keep === undefined) kept.set(key, (keep = random.fork(key).next() < share))
    return keep
  })
}
