import type { StreamedTarget, TelemetrySample } from '@aiperf/core'
import type { TargetLog } from './append.js'
import { sampleProblem } from './polling.js'
import type { Border, Runner, RunnerContext } from './runner.js'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Starts without a single sample after which a target is given up. */
const FRUITLESS_STARTS = 5
const LEAST_PATIENCE_MS = 3_000
/** A tool may take long to start, as a driver that has to be loaded first does. */
const FIRST_PATIENCE_MS = 15_000

/** Listens to a target that speaks by itself, and starts it again when it falls silent. */
export class Streaming implements Runner {
  readonly log: TargetLog
  readonly #target: StreamedTarget
  readonly #context: RunnerContext
  #controller: AbortController | undefined
  #watchdog: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  #fruitless = 0
  #stopped = false
  #speaking = false
  #waiting: (() => void)[] = []

  constructor(target: StreamedTarget, context: RunnerContext) {
    this.log = context.log
    this.#target = target
    this.#context = context
  }

  start(): void {
    if (this.#target.absent === undefined) void this.#follow()
  }

  /** Its values at a border are interpolated between a sample before it and one after it. */
  async border(border: Border): Promise<void> {
    const isStarting = this.#controller !== undefined && !this.#speaking && this.#fruitless === 0
    if (border.at === 'end' ? this.#speaking : isStarting) await this.#next()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#pause)
    clearTimeout(this.#watchdog)
    this.#controller?.abort()
    await this.#target.stop?.()
  }

  /** Settles with the next sample, or when it is overdue, or when the target stops. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#speaking ? 1.5 * this.#target.intervalMs : LEAST_PATIENCE_MS)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async #follow(): Promise<void> {
    const { file, now, say } = this.#context
    const before = this.log.samples
    const controller = new AbortController()
    this.#controller = controller
    this.#watch(controller)
    let reason = 'it ended'
    try {
      const silenced = new Promise<never>((_, reject) => controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true }))
      await Promise.race([this.#target.follow((sample) => this.#take(sample, controller), controller.signal), silenced])
    } catch (error) {
      reason = (error as Error)?.message ?? String(error)
    }
    clearTimeout(this.#watchdog)
    this.#speaking = false
    for (const resolve of this.#waiting.splice(0)) resolve()
    if (this.#stopped) return
    controller.abort()
    file.write({ failed: this.log.index, ns: now(), error: reason })
    this.#fruitless = this.log.samples > before ? 0 : this.#fruitless + 1
    if (this.#fruitless >= FRUITLESS_STARTS) {
      say('warn', `${this.#target.name} is given up: ${reason}`)
      return
    }
    if (this.#fruitless <= 1) say(this.#target.asked ? 'warn' : 'info', `${this.#target.name} stopped (${reason}); it is started again`)
    this.#pause = setTimeout(() => void this.#follow(), Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#fruitless))
  }

  #watch(controller: AbortController): void {
    clearTimeout(this.#watchdog)
    const patienceMs = Math.max(this.#speaking ? LEAST_PATIENCE_MS : FIRST_PATIENCE_MS, 5 * this.#target.intervalMs)
    this.#watchdog = setTimeout(() => controller.abort(new Error(`no sample within ${patienceMs / 1000} s`)), patienceMs)
  }

  #take(sample: TelemetrySample, controller: AbortController): void {
    if (controller.signal.aborted || this.#stopped) return
    const { file, now } = this.#context
    if (sampleProblem(sample, this.log.lastNs, now())) return
    this.#speaking = true
    this.#watch(controller)
    // Flooding: more than a few samples per interval say nothing new.
    if (sample.ns - this.log.lastNs < this.#target.intervalMs * 2e5) return
    if (!file.full) this.log.append(sample, {})
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
