import { defineSearchPlanner, type Search } from '@aiperf/core'
import type { MarginCurve } from './boundary/curve.js'
import { isNarrow, type Bracket } from './boundary/certainty.js'
import { BoundarySearch, type BoundaryOptions } from './boundary/search.js'
import { perTier } from './boundary/tiers.js'

/** Doubling, then the crossing of a rising curve through what was run. */
export class SmoothIsotonicSearch extends BoundarySearch {
  constructor(search: Search, options: BoundaryOptions, constraints = search.constraints) {
    super('smooth_isotonic', search, options, constraints)
  }

  /** A quarter, half and three quarters of the way: enough to see how the margin bends. With noise half first, which spares one of the others. */
  protected override interior({ low, high }: Bracket, noisy: boolean): readonly number[] {
    const gap = high - low
    return (noisy ? [0.5, 0.25, 0.75] : [0.25, 0.5, 0.75]).map((share) => Math.round(low + gap * share)).filter((x) => x > low && x < high)
  }

  /** Where the curve crosses; the middle once that creeps along from one end, as where a curve rises out of all proportion. */
  protected within({ low, high }: Bracket, curve: MarginCurve): number {
    const visited = curve.xs
    const crept = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && isNarrow({ low: a, high: b }, this.options.precision / 2)
    if (crept(visited[visited.indexOf(low) - 1], low) || crept(high, visited[visited.indexOf(high) + 1])) return Math.round((low + high) / 2)
    return Math.min(high - 1, Math.max(low + 1, Math.round(curve.root(low, high))))
  }
}

export default defineSearchPlanner({ create: ({ search, options }) => perTier(search, (limits) => new SmoothIsotonicSearch(search, options as unknown as BoundaryOptions, limits)) })
