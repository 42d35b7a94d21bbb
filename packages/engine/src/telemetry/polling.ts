import type { PolledTarget, TelemetrySample } from '@aiperf/core'
import type { TargetLog } from './append.js'
import type { Border, Runner, RunnerContext } from './runner.js'

const TIMEOUT_MS = 10_000
/** A target that failed is asked again after its interval, doubled with each failure up to this. */
const LONGEST_PAUSE_MS = 5_000
const PATIENCE_MS = 500

const SUPERSEDED = new Error('superseded')

/** Asks a target for samples: one at a time, on a timer of its own, and at borders. */
export class Polling implements Runner {
  readonly log: TargetLog
  readonly #target: PolledTarget
  readonly #context: RunnerContext
  #timer: NodeJS.Timeout | undefined
  #asking: { controller: AbortController; sinceMs: number; border: Border | undefined; done: Promise<void> } | undefined
  #failures = 0
  #latencyMs = 20
  #absent: boolean
  #stopped = false
  /** A call that did not end although its signal had fired: nothing is asked before it does. */
  #stuck = false

  constructor(target: PolledTarget, context: RunnerContext) {
    this.log = context.log
    this.#target = target
    this.#context = context
    this.#absent = target.absent !== undefined
  }

  start(): void {
    if (!this.#absent) void this.#ask(undefined)
    else if (this.#target.asked) this.#schedule(performance.now())
  }

  async border(border: Border): Promise<void> {
    const ask = async (): Promise<void> => {
      // A sample at a border must be asked for after the border: one that is on its way does not count, nor is it waited for.
      while (this.#asking?.border) await this.#asking.done
      await this.#ask(border)
    }
    const hopeless = this.#absent || this.#stuck || this.#failures > 0 || (this.#asking !== undefined && performance.now() - this.#asking.sinceMs > Math.max(PATIENCE_MS, 4 * this.#latencyMs))
    if (this.#absent && !this.#target.asked && border.at === 'end') return
    const asked = ask()
    if (!hopeless) await asked
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    const asking = this.#asking
    if (asking?.border) await asking.done
    else asking?.controller.abort(SUPERSEDED)
    await this.#target.stop?.()
  }

  #schedule(askedMs: number): void {
    if (this.#stopped) return
    clearTimeout(this.#timer)
    const { intervalMs, asked } = this.#target
    if (this.#absent && !asked) return
    const pause = this.#absent ? LONGEST_PAUSE_MS : this.#failures > 0 ? Math.max(intervalMs, Math.min(intervalMs * 2 ** this.#failures, LONGEST_PAUSE_MS)) : intervalMs * this.#context.pace.stretch
    this.#timer = setTimeout(() => void this.#ask(undefined), Math.max(0, askedMs + pause - performance.now()))
  }

  #ask(border: Border | undefined): Promise<void> {
    if (this.#stopped && !border) return Promise.resolve()
    if (this.#stuck) {
      this.#schedule(performance.now())
      return Promise.resolve()
    }
    this.#asking?.controller.abort(SUPERSEDED)
    clearTimeout(this.#timer)
    const controller = new AbortController()
    const asking = { controller, sinceMs: performance.now(), border, done: Promise.resolve() }
    this.#asking = asking
    asking.done = this.#sample(controller, border)
      .then((sample) => this.#succeeded(sample, border, performance.now() - asking.sinceMs))
      .catch((error: unknown) => {
        if (error !== SUPERSEDED) this.#failed(error)
      })
      .finally(() => {
        if (this.#asking !== asking) return
        this.#asking = undefined
        this.#schedule(asking.sinceMs)
      })
    return asking.done
  }

  async #sample(controller: AbortController, border: Border | undefined): Promise<TelemetrySample> {
    const limitMs = this.#target.timeoutMs ?? TIMEOUT_MS
    const timer = setTimeout(() => controller.abort(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
    const { signal } = controller
    const given = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    let ended = false
    const call = (async () => this.#target.sample(signal))().finally(() => {
      ended = true
      this.#stuck = false
    })
    call.catch(() => {})
    try {
      return await Promise.race([call, given])
    } catch (error) {
      if (signal.aborted) {
        // The source was told to stop; it has a moment to do so.
        await new Promise((resolve) => setTimeout(resolve, border ? 0 : 10))
        if (!ended && signal.reason !== SUPERSEDED) this.#stuck = true
        throw signal.reason
      }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #succeeded(sample: TelemetrySample, border: Border | undefined, latencyMs: number): void {
    const { now, say, pace, file } = this.#context
    const problem = sampleProblem(sample, this.log.lastNs, now())
    if (problem === 'old') return
    if (problem) throw new Error(problem)
    this.#latencyMs = 0.8 * this.#latencyMs + 0.2 * latencyMs
    if (this.#failures > 1) say('info', `${this.#target.name} answers again`)
    if (this.#absent) say('info', `${this.#target.name} can be sampled now`)
    this.#failures = 0
    this.#absent = false
    if (file.full && !border) return
    const every = Math.round(this.#target.intervalMs * pace.stretch)
    this.log.append(sample, { ...(border ? { at: border.at, phase: border.phase } : {}), ...(pace.stretch > 1 ? { every } : {}) })
  }

  #failed(error: unknown): void {
    const { file, now, say } = this.#context
    const message = (error as Error)?.message ?? String(error)
    this.#failures++
    file.write({ failed: this.log.index, ns: now(), error: message })
    if (this.#absent || this.#failures !== 2) return
    say(this.#target.asked ? 'warn' : 'info', `${this.#target.name} does not answer (${message}); it is asked again every ${LONGEST_PAUSE_MS / 1000} s`)
  }
}

/** What is wrong with a sample as a source gave it; `old`: it came too late to be of use. */
export function sampleProblem(sample: TelemetrySample | undefined, lastNs: number, nowNs: number): string | undefined {
  if (!sample || !Array.isArray(sample.values)) return 'the source gave no sample'
  if (!Number.isFinite(sample.ns)) return 'the sample has no time'
  // Its clock is not the run's: half a second is more than any rounding.
  if (sample.ns > nowNs + 5e8) return 'the sample is of a time to come'
  return sample.ns <= lastNs ? 'old' : undefined
}
