/**
 * The one monotonic clock of a run. All threads count ns from the same origin, as doubles: exact to the nanosecond
 * for 104 days.
 */
export interface ClockOrigin {
  /** `process.hrtime.bigint()` at the run's 0. */
  originNs: bigint
  /** Unix time of the run's 0, ns. */
  unixNs: bigint
}

/** Takes the anchor: waits for a tick of the wall clock (under 1 ms), so that both clocks agree to a few µs. */
export function takeOrigin(): ClockOrigin {
  const before = Date.now()
  let wallMs = before
  while (wallMs === before) wallMs = Date.now()
  return { originNs: process.hrtime.bigint(), unixNs: BigInt(wallMs) * 1_000_000n }
}

/** `now()` in ns since the origin. `performance.now()` reads the same kernel clock without allocating a bigint. */
export function createNow(origin: ClockOrigin): () => number {
  const offsetNs = Number(process.hrtime.bigint() - origin.originNs) - performance.now() * 1e6
  return () => Math.round(performance.now() * 1e6 + offsetNs)
}
