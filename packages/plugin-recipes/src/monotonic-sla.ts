import { defineSearchPlanner, type Search } from '@aiperf/core'
import type { Bracket } from './boundary/certainty.js'
import { BoundarySearch, type BoundaryOptions } from './boundary/search.js'
import { perTier } from './boundary/tiers.js'

export interface MonotonicOptions extends BoundaryOptions {
  monotonicStabilityTrials: number
}

/** Doubling, then halving the bracket; every point is run several times before it counts. */
export class MonotonicSearch extends BoundarySearch {
  readonly #trials: number

  constructor(search: Search, options: MonotonicOptions, constraints = search.constraints) {
    super('monotonic', search, options, constraints)
    this.#trials = options.monotonicStabilityTrials
  }

  protected override runsNeeded(): number {
    return this.#trials
  }

  protected within({ low, high }: Bracket): number {
    return low + Math.floor((high - low) / 2)
  }
}

export default defineSearchPlanner({ create: ({ search, options }) => perTier(search, (limits) => new MonotonicSearch(search, options as unknown as MonotonicOptions, limits)) })
