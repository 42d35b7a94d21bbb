import type { ResolvedOptions } from '../options/resolve.js'
import { lawOf, sampler, type Sampler } from './distribution.js'
import { PURPOSE, Random } from './random.js'

/** When the tokens of an answer are due, drawn from the two distributions. */
export class TokenTimes {
  readonly #ttft: Sampler
  readonly #itl: Sampler
  readonly #seed: number

  constructor(options: ResolvedOptions) {
    this.#ttft = sampler(lawOf(options.ttftDistribution, options.ttftStddevMs), options.ttftMs, options.ttftStddevMs)
    this.#itl = sampler(lawOf(options.itlDistribution, options.itlStddevMs), options.itlMs, options.itlStddevMs)
    this.#seed = options.seed
  }

  /** From the arrival of the request of that ordinal to its first token, in ms. */
  ttftMs(ordinal: number): number {
    return this.#ttft.constant ?? this.#ttft.sample(new Random(this.#seed, ordinal, PURPOSE.ttft))
  }

  /** Gives, call by call, how many ms after token i the token i + `tokens` is due. */
  gaps(ordinal: number): (tokens: number) => number {
    const { constant } = this.#itl
    if (constant !== undefined) return (tokens) => constant * tokens
    const random = new Random(this.#seed, ordinal, PURPOSE.itl)
    return (tokens) => {
      let sumMs = 0
      for (let token = 0; token < tokens; token++) sumMs += this.#itl.sample(random)
      return sumMs
    }
  }
}
