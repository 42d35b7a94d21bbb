import type { Ask, JsonObject, Point, Search, SearchPlanner, Tier, Told, Trial } from '@aiperf/core'
import type { BoundarySearch } from './search.js'

/**
 * Several service levels at once: one search for each, and every run is told to all of them. The level whose bracket is
 * widest asks next, so that what one learns spares the others their runs.
 */
export class TieredSearch implements SearchPlanner {
  readonly #tiers: { label: string; search: BoundarySearch }[]
  readonly #asked = new Map<string, number>()

  constructor(tiers: readonly Tier[], make: (tier: Tier) => BoundarySearch) {
    this.#tiers = tiers.map((tier) => ({ label: tier.label, search: make(tier) }))
  }

  ask(): Ask {
    const open = this.#tiers.map((tier) => ({ ...tier, ask: tier.search.ask() })).filter(({ ask }) => ask.kind === 'point')
    const [widest] = open.sort((a, b) => b.search.width() - a.search.width())
    if (!widest) return { kind: 'done', reason: 'multi_tier_precision_reached' }
    this.#asked.set(widest.label, (this.#asked.get(widest.label) ?? 0) + 1)
    return widest.ask
  }

  tell(point: Point, trials: readonly Trial[]): Told {
    const told = this.#tiers.map(({ search }) => search.tell(point, trials))
    const feasible = told.some((t) => t.feasible === true) ? true : told.every((t) => t.feasible === false) ? false : undefined
    return { feasible, nonMonotonic: told.some((t) => t.nonMonotonic) }
  }

  summary(): JsonObject {
    const results = this.#tiers.map(({ label, search }) => {
      const ask = search.ask()
      const { feasible_max, infeasible_min, ...rest } = (search.summary()['boundary_summary'] ?? {}) as JsonObject
      const value = (end: JsonObject[string] | undefined) => (end as JsonObject | null | undefined)?.['value'] ?? null
      return { label, feasible_max: value(feasible_max), infeasible_min: value(infeasible_min), reason: ask.kind === 'done' ? ask.reason : null, detail: { feasible_max: feasible_max ?? null, infeasible_min: infeasible_min ?? null, ...rest } }
    })
    const [first] = this.#tiers
    return {
      boundary_summary: first?.search.summary()['boundary_summary'] ?? null,
      tier_results: results,
      tier_metadata: { tiers: this.#tiers.length, asked_by: Object.fromEntries(this.#asked) },
    }
  }

  snapshot(): JsonObject {
    return this.#tiers[0]!.search.snapshot()
  }

  restore(snapshot: JsonObject): void {
    for (const { search } of this.#tiers) search.restore(snapshot)
  }
}

/** One search, or one for each service level. */
export const perTier = (search: Search, make: (constraints: Search['constraints']) => BoundarySearch): SearchPlanner =>
  search.tiers && search.tiers.length > 1 ? new TieredSearch(search.tiers, (tier) => make([...search.constraints, ...tier.constraints])) : make(search.constraints)
