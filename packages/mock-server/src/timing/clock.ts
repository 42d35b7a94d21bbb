/**
 * Milliseconds on this thread's monotonic clock, with a resolution of about 0.1 µs. All times inside the server are of
 * this clock; only what leaves it is converted to Unix time.
 */
export const nowMs: () => number = performance.now.bind(performance)

/** Ties the monotonic clock to the wall clock and to the monotonic clock of other processes on the same host. */
export interface ClockAnchor {
  readonly monotonicMs: number
  /** Nanoseconds since 1970 at `monotonicMs`. */
  readonly unixNs: bigint
  /** `process.hrtime.bigint()` at `monotonicMs`: the same clock in every process of the host (CLOCK_MONOTONIC). */
  readonly hrtimeNs: bigint
}

const TICKS = 3

/**
 * Takes the anchor. `Date.now()` has whole milliseconds, so this waits for it to tick (at most 3 ms) and reads the
 * monotonic clock then; being preempted in between can only make the offset too small, so the largest one counts.
 */
export function takeAnchor(): ClockAnchor {
  let offsetMs = -Infinity
  for (let tick = 0; tick < TICKS; tick++) {
    const before = Date.now()
    let wallMs = before
    while (wallMs === before) wallMs = Date.now()
    offsetMs = Math.max(offsetMs, wallMs - nowMs())
  }
  const monotonicMs = nowMs()
  const hrtimeNs = process.hrtime.bigint()
  return { monotonicMs, hrtimeNs, unixNs: BigInt(Math.round((monotonicMs + offsetMs) * 1e3)) * 1000n }
}

/** Nanoseconds since 1970 at a time of this thread's monotonic clock, as a decimal string. */
export function unixNsAt(anchor: ClockAnchor, atMs: number): string {
  return String(anchor.unixNs + BigInt(Math.round((atMs - anchor.monotonicMs) * 1e6)))
}
