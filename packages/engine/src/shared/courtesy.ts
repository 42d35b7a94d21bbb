import { PACE } from './arrivals.js'
import { RUN } from './words.js'

/** What is done between two looks at the time takes no longer, as a rule. */
const UNIT_NS = 150_000
/** Until a request that was due is on its way. */
const DISPATCH_NS = 60_000
/** Workers that are called later than this before a due time have so many of them that nothing would be left for recorders. */
const LEAST_AHEAD_NS = 300_000
/** Arenas that may wait for the sake of courtesy. */
const MOST_WAITING = 16

const nap = new Int32Array(new SharedArrayBuffer(4))

/**
 * Keeps the calling thread, a recorder's or the main one, off the core while a worker is about to wake for a due time. The system
 * lets a thread that wakes wait for up to a slice of the one that runs, some 3 ms, whatever their priorities are.
 */
export function createCourtesy(setup: { pace: Float64Array; workers: number; runWords: Int32Array; now(): number }): () => void {
  const { pace, workers, runWords, now } = setup
  return () => {
    const aheadNs = pace[PACE.ahead(workers)]!
    if (!(aheadNs >= LEAST_AHEAD_NS) || Atomics.load(runWords, RUN.backlog) > MOST_WAITING) return
    const leftNs = pace[PACE.next(workers)]! - now()
    if (leftNs > aheadNs + UNIT_NS || leftNs < -DISPATCH_NS) return
    Atomics.wait(nap, 0, 0, (leftNs + DISPATCH_NS) / 1e6)
  }
}
