import type { Generation } from '../answer/generation.js'
import { contentOf } from '../answer/answer.js'
import type { VllmMetrics } from '../metrics/vllm.js'
import type { ModelOptions } from '../options/types.js'
import type { Pacer } from '../pacing/pacer.js'
import type { Timed } from '../pacing/schedule.js'
import type { Traffic } from '../truth/traffic.js'
import { PrefixCache } from './prefix-cache.js'
import { Sequence } from './sequence.js'

/** Steps that take no time would never come to the end of a pause that a fault makes. */
const SHORTEST_STEP_MS = 0.05

/**
 * A simple model of a batching server. Running requests advance together, step by step; each step gives every decoding
 * request a token, prefills prompts with what is left of its token budget, and takes the longer the more there is in it.
 * Requests beyond `maxRunning`, or beyond the KV cache, wait in order of arrival. Steps follow each other without drift.
 */
export class Engine {
  readonly cache: PrefixCache | undefined
  readonly #waiting: Sequence[] = []
  #running: Sequence[] = []
  #step: Step | undefined

  constructor(
    private readonly options: Required<ModelOptions>,
    private readonly pacer: Pacer,
    private readonly traffic: Traffic,
    private readonly metrics: VllmMetrics,
  ) {
    const { cacheBlockTokens, kvTokens } = options
    if (cacheBlockTokens > 0) this.cache = new PrefixCache(cacheBlockTokens, Math.floor(kvTokens / cacheBlockTokens))
  }

  get running(): number {
    return this.#running.filter((sequence) => !sequence.finished).length
  }

  get waiting(): number {
    return this.#waiting.filter((sequence) => !sequence.finished).length
  }

  /** Share of the KV cache that running requests occupy, 0 to 1. */
  get kvCacheUsage(): number {
    return Math.min(1, this.#kvTokens() / this.options.kvTokens)
  }

  submit(generation: Generation, prompt: string): void {
    this.#waiting.push(new Sequence(generation, prompt))
    if (this.#step) return
    this.#step = new Step(generation.exchange.arrivalMs, (nowMs, dueMs) => this.#endStep(nowMs, dueMs))
    this.#step.dueMs += this.#beginStep()
    this.pacer.add(this.#step)
  }

  /** Ends one step and begins the next; returns how long that one takes, or undefined where nothing is left to do. */
  #endStep(nowMs: number, dueMs: number): number | undefined {
    this.traffic.late(nowMs - dueMs)
    for (const sequence of this.#running) {
      if (sequence.decoding) sequence.produced++
      sequence.send(nowMs, dueMs)
      if (sequence.finished) this.#remember(sequence)
    }
    this.#running = this.#running.filter((sequence) => !sequence.finished)
    const stepMs = this.#beginStep()
    if (this.#running.length > 0) return stepMs
    this.#step = undefined
    return undefined
  }

  /** Lets requests in and plans a step's work; returns how long it takes, in ms. */
  #beginStep(): number {
    this.#admit()
    const { stepMs, stepMsPerSequence, prefillMsPerToken, maxBatchedTokens } = this.options
    const decoding = this.#running.filter((sequence) => sequence.decoding).length
    let budget = Math.max(1, maxBatchedTokens - decoding)
    let prefilled = 0
    for (const sequence of this.#running) {
      const part = Math.min(sequence.prefillLeft, budget)
      sequence.prefillLeft -= part
      budget -= part
      prefilled += part
    }
    return Math.max(SHORTEST_STEP_MS, stepMs + stepMsPerSequence * decoding + prefillMsPerToken * prefilled)
  }

  #admit(): void {
    const { maxRunning, kvTokens } = this.options
    let used = this.#kvTokens()
    while (this.#waiting.length > 0 && this.#running.length < maxRunning) {
      const next = this.#waiting[0]!
      if (!next.finished && this.#running.length > 0 && used + next.promptTokens > kvTokens) return
      this.#waiting.shift()
      if (next.finished) continue
      used += next.promptTokens
      this.#running.push(next)
      next.prefillLeft = next.promptTokens - this.#lookUp(next)
    }
  }

  /** How many of its prompt's tokens are cached. The last one never is: the first new token is computed from it. */
  #lookUp({ generation, prompt, promptTokens }: Sequence): number {
    if (!this.cache) return 0
    const { blockTokens } = this.cache
    const most = Math.floor((promptTokens - 1) / blockTokens) * blockTokens
    const cached = Math.max(0, Math.min(this.cache.match(prompt), most))
    this.cache.add(prompt)
    generation.answer.cachedTokens = cached
    generation.entry.cachedTokens = cached
    this.metrics.prefixCacheQueries += promptTokens
    this.metrics.prefixCacheHits += cached
    return cached
  }

  /** The next turn of a conversation begins with this answer. */
  #remember({ generation, prompt }: Sequence): void {
    this.cache?.add(`${prompt}${contentOf(generation.answer)}\n`)
  }

  #kvTokens(): number {
    return this.#running.reduce((sum, sequence) => sum + (sequence.finished ? 0 : sequence.kvTokens), 0)
  }
}

class Step implements Timed {
  readonly cancelled = false

  constructor(
    public dueMs: number,
    private readonly end: (nowMs: number, dueMs: number) => number | undefined,
  ) {}

  fire(nowMs: number): boolean {
    const stepMs = this.end(nowMs, this.dueMs)
    this.dueMs += stepMs ?? 0
    return stepMs !== undefined
  }
}
