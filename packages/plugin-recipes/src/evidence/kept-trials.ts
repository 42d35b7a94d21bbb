import type { JsonObject, MetricResult, Point, Search, Trial } from '@aiperf/core'

/** What a planner looks at of trials, as plain data. */
export function keptTrials(trials: readonly Trial[], search: Search): JsonObject[] {
  const tags = new Set([...search.constraints, ...search.objectives, ...(search.tiers ?? []).flatMap((t) => t.constraints)].map((c) => c.tag))
  return trials.map(({ failed, directory, verdict, metrics }) => ({
    directory,
    verdict,
    ...(failed === undefined ? {} : { failed }),
    metrics: [...metrics.values()].filter((m) => tags.has(m.tag)).map((m) => ({ ...m }) as unknown as JsonObject),
  }))
}

export function readTrials(kept: readonly JsonObject[], point: Point): Trial[] {
  return (kept as unknown as (Omit<Trial, 'point' | 'metrics'> & { metrics: MetricResult[] })[]).map(({ metrics, ...trial }) => ({ ...trial, point, metrics: new Map(metrics.map((m) => [m.tag, m])) }))
}
