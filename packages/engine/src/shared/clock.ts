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

/** A pair of readings counts when what lay between took no longer: neither a cold call nor another thread came in between. */
const TIGHT_NS = 3_000
const MOST_TRIES = 50

/** Ticks of the wall clock, of 1 ms each, that the anchor is taken from. */
const TICKS = 3

/**
 * Takes the anchor, in some 3 ms. The wall clock is only told in whole milliseconds, rounded down: what it says is never ahead
 * of the time, and right at a tick. So the greatest difference of both clocks is the true one, and whatever came in between
 * makes a difference smaller, never greater.
 */
export function takeOrigin(): ClockOrigin {
  const originNs = process.hrtime.bigint()
  const firstMs = Date.now()
  let best = -Infinity
  for (let elapsedMs = 0; elapsedMs < TICKS; ) {
    elapsedMs = Date.now() - firstMs
    const difference = elapsedMs * 1e6 - Number(process.hrtime.bigint() - originNs)
    if (difference > best) best = difference
  }
  return { originNs, unixNs: BigInt(firstMs) * 1_000_000n + BigInt(Math.round(best)) }
}

/** `now()` in ns since the origin. `performance.now()` reads the same kernel clock without allocating a bigint. */
export function createNow(origin: ClockOrigin): () => number {
  let offsetNs = 0
  let width = Infinity
  for (let tries = 0; tries < MOST_TRIES && width > TIGHT_NS; tries++) {
    const before = performance.now() * 1e6
    const sinceNs = Number(process.hrtime.bigint() - origin.originNs)
    const after = performance.now() * 1e6
    if (after - before >= width) continue
    width = after - before
    offsetNs = sinceNs - (before + after) / 2
  }
  return () => Math.round(performance.now() * 1e6 + offsetNs)
}
