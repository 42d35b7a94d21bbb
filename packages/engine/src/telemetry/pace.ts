import { performance } from 'node:perf_hooks'

const LOOK_MS = 1000
/** Share of a core that sampling may take. */
const SHARE = 0.15
const MAX_STRETCH = 200

/**
 * Keeps sampling cheap beside a benchmark: when the thread is busy for more than a small share of its time, as with an
 * exposition of 20 MB, all intervals are stretched until it is not.
 */
export class Pace {
  /** Factor on every interval, 1 or more. */
  stretch = 1
  readonly #say: (message: string) => void
  #last = performance.eventLoopUtilization()
  #timer: NodeJS.Timeout | undefined
  #told = false
  #wasBusy = false

  constructor(say: (message: string) => void) {
    this.#say = say
  }

  start(): void {
    // The first look is late: loading the sources is not sampling.
    this.#timer = setTimeout(() => {
      this.#last = performance.eventLoopUtilization()
      this.#timer = setInterval(() => this.#look(), LOOK_MS)
    }, LOOK_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    const busy = performance.eventLoopUtilization(this.#last).utilization
    this.#last = performance.eventLoopUtilization()
    // One busy second may be a start or a neighbour. Upwards quickly, downwards gently, so that it does not swing.
    const again = this.#wasBusy
    this.#wasBusy = busy > SHARE
    if (busy > SHARE && again) this.stretch = Math.min(MAX_STRETCH, this.stretch * (busy / SHARE))
    else if (this.stretch > 1 && busy < SHARE / 2) this.stretch = Math.max(1, this.stretch * 0.8)
    if (this.stretch > 1.5 && !this.#told) {
      this.#told = true
      this.#say(`telemetry would take more than ${Math.round(SHARE * 100)} % of a core: it is sampled less often`)
    }
  }
}
