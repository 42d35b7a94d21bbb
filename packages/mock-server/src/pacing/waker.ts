import { Worker } from 'node:worker_threads'
import { nowMs } from '../timing/clock.js'

/** Ends the event loop's sleep at a given time. */
export interface Waker {
  /** How long before a due time the sleep must end, in ms; the rest is waited for with the event loop turning. */
  readonly spinMs: number
  onWake: () => void
  /** Asks to be woken at that time of the monotonic clock. A later request replaces an earlier one. */
  wakeAt(atMs: number): void
  close(): void
}

/** Plain timers: cheap, and up to a millisecond or two late. */
class TimerWaker implements Waker {
  onWake: () => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #atMs = Infinity

  /** @param spinMs 0 for timers alone, 2 for timers and then a busy loop (they are at most about that late) */
  constructor(readonly spinMs: number) {}

  wakeAt(atMs: number): void {
    if (this.#timer && this.#atMs <= atMs && this.#atMs > nowMs()) return
    clearTimeout(this.#timer)
    this.#atMs = atMs
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.onWake()
      },
      Math.max(0, atMs - nowMs()),
    )
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * The helper thread: waits on a word of shared memory with a time limit, which is exact to about 0.1 ms where the event
 * loop's own timers have whole milliseconds. It is text since a thread of its own file would need the built package.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const word = new Int32Array(workerData, 0, 1)
const targetMs = new Float64Array(workerData, 8, 1)
for (;;) {
  const seen = Atomics.load(word, 0)
  if (targetMs[0] < 0) break
  const leftMs = targetMs[0] - Number(process.hrtime.bigint()) / 1e6
  if (leftMs > 0) {
    if (Atomics.wait(word, 0, seen, leftMs) !== 'timed-out') continue
  }
  parentPort.postMessage(0)
  Atomics.wait(word, 0, seen)
}
`

/** A helper thread that sleeps until something is due. */
class ThreadWaker implements Waker {
  readonly spinMs = 0.15
  onWake: () => void = () => {}
  readonly #word: Int32Array
  readonly #targetMs: Float64Array
  readonly #worker: Worker
  /** What the thread waits for, on this thread's clock; Infinity where it has woken us. */
  #atMs = Infinity
  readonly #toHrtimeMs = Number(process.hrtime.bigint()) / 1e6 - nowMs()

  constructor() {
    const shared = new SharedArrayBuffer(16)
    this.#word = new Int32Array(shared, 0, 1)
    this.#targetMs = new Float64Array(shared, 8, 1)
    this.#targetMs[0] = Infinity
    this.#worker = new Worker(THREAD, { eval: true, workerData: shared, execArgv: [] })
    this.#worker.on('message', () => {
      this.#atMs = Infinity
      this.onWake()
    })
    this.#worker.unref()
  }

  wakeAt(atMs: number): void {
    // Waking a little early costs less than telling the thread of every change.
    if (this.#atMs <= atMs) return
    this.#atMs = atMs
    this.#set(atMs + this.#toHrtimeMs)
  }

  close(): void {
    this.#set(-1)
  }

  #set(targetMs: number): void {
    this.#targetMs[0] = targetMs
    Atomics.add(this.#word, 0, 1)
    Atomics.notify(this.#word, 0)
  }
}

export function createWaker(kind: 'thread' | 'spin' | 'timer'): Waker {
  if (kind === 'thread') return new ThreadWaker()
  return new TimerWaker(kind === 'spin' ? 2 : 0)
}
