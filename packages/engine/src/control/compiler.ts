import { availableParallelism } from 'node:os'
import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import type { Threads } from './threads.js'

/**
 * Share of a thread's time, and of all cores for the threads that stamp and record, from which on optimized code is needed. Up to 0.4
 * of a thread's time goes by in waiting awake for what is about to be due.
 */
const BUSY = 0.75
const LOOK_MS = 100

/**
 * Keeps the runtime's optimizing compiler still while an open loop is measured whose threads are far from busy. It works for
 * milliseconds on end in threads of its own, and the system lets a thread that wakes for a due time wait until they have used
 * their slice, whatever the priorities are: of 400 requests a second, one in fifty was sent 2 ms late. What was called before
 * is compiled, without optimization; what was hot in a warm-up is optimized. A load that keeps the threads busy gets the compiler
 * back.
 */
export class CompilerRest {
  readonly #threads: Threads
  #timer: NodeJS.Timeout | undefined

  constructor(threads: Threads) {
    this.#threads = threads
  }

  begin(): void {
    if (!this.#threads.sharesCore) return
    setFlagsFromString('--no-turbofan')
    const looks = [...this.#threads.workers, ...this.#threads.recorders].map(({ worker }) => ({ worker, last: worker.performance.eventLoopUtilization() }))
    this.#timer = setInterval(() => {
      const busy = looks.map((look) => {
        const now: EventLoopUtilization = look.worker.performance.eventLoopUtilization()
        const { utilization } = performance.eventLoopUtilization(now, look.last)
        look.last = now
        return utilization
      })
      if (Math.max(...busy) > BUSY || busy.reduce((a, b) => a + b, 0) > BUSY * availableParallelism()) this.end()
    }, LOOK_MS)
  }

  end(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    setFlagsFromString('--turbofan')
  }
}
