/**
 * Shared counters: what has been claimed, sent, returned and is in flight, so that no message stands between a free
 * slot and the next request. Every word is an Int32 changed by `Atomics` only.
 */

/** Words of one phase. */
export const PHASE = {
  /** See `STATE`. */
  state: 0,
  /** Requests that may be sent, and credits claimed. */
  requestLimit: 1,
  requests: 2,
  /** Sessions that may start, and started. */
  sessionLimit: 3,
  sessions: 4,
  /** Timed arrivals published by the pacer, and claimed. */
  published: 5,
  claimed: 6,
  /** 1 when no further arrival comes. */
  exhausted: 7,
  /** Sessions under way. */
  open: 8,
  sessionsDone: 9,
  sent: 10,
  returned: 11,
  /** Counted by the recorders, which know how a request ended. */
  recorded: 12,
  failed: 13,
  cancelled: 14,
  censored: 15,
  retried: 16,
  /** Arrivals that came due, and those dropped for want of a slot. */
  due: 17,
  skipped: 18,
  /** Arrivals that were handed out ahead of time and not sent, because the phase was ended meanwhile. */
  dropped: 19,
} as const
export const PHASE_WORDS = 32

export const STATE = { waiting: 0, sending: 1, draining: 2, cancelled: 3 } as const

/** Words of the run, shared by overlapping phases. */
export const RUN = {
  /** Next request ordinal. */
  ordinal: 0,
  /** Session slots in use, and the limit (−1: none). */
  slots: 1,
  slotLimit: 2,
  /** Prefill slots in use, and the limit (−1: none). */
  prefill: 3,
  prefillLimit: 4,
  /** Requests waiting for a prefill slot, over all workers. */
  prefillWaiting: 5,
  /** Bumped when the pacer should look at the world again. */
  pacerWake: 6,
  /** Batches sent to recorders and not yet read. */
  backlog: 7,
} as const
export const RUN_WORDS = 16

/** Words of one worker. */
export const WORKER = {
  /** Sessions on this worker. */
  sessions: 0,
  /** Continuation turns that wait for an arrival to take. */
  ready: 1,
  /** Ring of orders from the pacer: written, read; 1 while the worker knows that there is something to read. */
  ringWritten: 2,
  ringRead: 3,
  awake: 4,
  /** Requests in flight. */
  inFlight: 5,
  sent: 6,
  completed: 7,
  errors: 8,
  /** KiB handed to the recorder: what was read, and the heads of entries. */
  readKib: 9,
} as const
export const WORKER_WORDS = 16

export function sharedWords(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * 4))
}

/** Takes one unit of `words[used]` if fewer than `limit` are taken (a negative limit is none): its number, or −1. */
export function takeBelow(words: Int32Array, used: number, limit: number): number {
  for (;;) {
    const now = Atomics.load(words, used)
    if (limit >= 0 && now >= limit) return -1
    if (Atomics.compareExchange(words, used, now, now + 1) === now) return now
  }
}

/** Takes the next of the units published so far: its number, or −1 when all are claimed. */
export function takeNext(words: Int32Array, claimed: number, published: number): number {
  return takeBelow(words, claimed, Atomics.load(words, published))
}

/** Takes one unit of a counter that is above 0. */
export function takeOne(words: Int32Array, index: number): boolean {
  for (;;) {
    const now = Atomics.load(words, index)
    if (now <= 0) return false
    if (Atomics.compareExchange(words, index, now, now - 1) === now) return true
  }
}

/** Takes a session slot of the run. */
export function takeSlot(run: Int32Array): boolean {
  return takeBelow(run, RUN.slots, Atomics.load(run, RUN.slotLimit)) >= 0
}
