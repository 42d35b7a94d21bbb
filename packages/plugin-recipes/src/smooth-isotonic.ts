import { defineSearchPlanner, type Search } from '@aiperf/core'
import type { MarginCurve } from './boundary/curve.js'
import type { Bracket } from './boundary/certainty.js'
import { BoundarySearch, type BoundaryOptions } from './boundary/search.js'
import { perTier } from './boundary/tiers.js'

/** Doubling, then the crossing of a rising curve through what was run. */
export class SmoothIsotonicSearch extends BoundarySearch {
  constructor(search: Search, options: BoundaryOptions, constraints = search.constraints) {
    super('smooth_isotonic', search, options, constraints)
  }

  /** A quarter, half and three quarters of the way: enough to see how the margin bends. */
  protected override interior({ low, high }: Bracket): readonly number[] {
    const gap = high - low
    return [0.25, 0.5, 0.75].map((share) => Math.round(low + gap * share)).filter((x) => x > low && x < high)
  }

  /** Where the curve crosses; the middle when that is as good as an end, so that a cliff is found too. */
  protected within({ low, high }: Bracket, curve: MarginCurve): number {
    const at = Math.round(curve.root(low, high))
    const x = Math.min(high - 1, Math.max(low + 1, at))
    return x
  }
}

export default defineSearchPlanner({ create: ({ search, options }) => perTier(search, (limits) => new SmoothIsotonicSearch(search, options as unknown as BoundaryOptions, limits)) })
