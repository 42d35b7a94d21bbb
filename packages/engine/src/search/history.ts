import type { Json, JsonObject, Objective, Point, Search, Trial } from '@aiperf/core'
import { statOf } from './aggregate/combine.js'
import { paretoFront } from './aggregate/front.js'
import { limitJson } from './aggregate/sweep-files.js'

/** One question of the planner and what came of it. */
export interface Iteration {
  index: number
  point: Point
  trials: readonly Trial[]
  feasible: boolean | undefined
  nonMonotonic: boolean
}

/** `search_history.json`: written after every point, so that a search that was killed leaves what it knew. */
export function historyJson(search: Search, recipe: string | undefined, iterations: readonly Iteration[], summary: JsonObject, reason: string | undefined): JsonObject {
  return {
    config: configJson(search),
    iterations: iterations.map((it) => ({
      iteration_idx: it.index,
      variation_values: { ...it.point },
      objective_values: search.objectives.map((o) => objectiveValue([it], o) ?? null),
      feasible: it.feasible ?? null,
      non_monotonic_warning: it.nonMonotonic,
      trials: it.trials.map((trial) => ({ directory: trial.directory, verdict: trial.verdict, ...(trial.failed === undefined ? {} : { failed: trial.failed }) })),
    })),
    best_trials: bestTrials(search, iterations),
    ...summary,
    recipe: recipe ?? null,
    convergence_reason: reason ?? null,
  }
}

function configJson(search: Search): JsonObject {
  return {
    planner: search.planner,
    planner_options: search.plannerOptions,
    objectives: search.objectives.map(({ tag, stat, direction, threshold }) => ({ metric: tag, stat, direction, ...(threshold === undefined ? {} : { threshold }) })),
    max_iterations: search.maxIterations,
    search_space: search.dimensions.map(({ path, low, high, integer, log }) => ({ path, lo: low, hi: high, kind: integer ? 'int' : 'real', prior: log ? 'log-uniform' : 'uniform' })),
    sla_filters: search.constraints.map(limitJson),
    ...(search.tiers ? { sla_tiers: search.tiers.map(({ label, constraints }) => ({ label, filters: constraints.map(limitJson) })) } : {}),
  }
}

/** Mean of an objective over the runs that have it. */
function objectiveValue(iterations: readonly Iteration[], { tag, stat }: Objective): number | undefined {
  const values = iterations.flatMap((it) => it.trials).flatMap((trial) => statOf(trial.metrics.get(tag), stat) ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, v) => sum + v, 0) / values.length
}

interface Visited {
  point: Point
  iterations: Iteration[]
  feasible: boolean | undefined
}

/** Points by their values, in the order they were first run, each with all its iterations. */
export function visitedPoints(iterations: readonly Iteration[]): Visited[] {
  const points = new Map<string, Visited>()
  for (const it of iterations) {
    const key = JSON.stringify(it.point)
    const found = points.get(key)
    if (found) {
      found.iterations.push(it)
      found.feasible = it.feasible
    } else points.set(key, { point: it.point, iterations: [it], feasible: it.feasible })
  }
  return [...points.values()]
}

/** The best point, of several objectives the front; of the feasible ones if there are any. */
function bestTrials(search: Search, iterations: readonly Iteration[]): JsonObject[] {
  const visited = visitedPoints(iterations)
  const feasible = visited.filter((v) => v.feasible === true)
  const candidates = feasible.length > 0 ? feasible : visited
  const front = paretoFront(candidates, search.objectives, (v, objective) => objectiveValue(v.iterations, objective))
  return (search.objectives.length === 1 ? front.slice(0, 1) : front).map((v) => ({
    iteration_idx: v.iterations.at(-1)!.index,
    variation_values: { ...v.point },
    objective_values: search.objectives.map((o): Json => objectiveValue(v.iterations, o) ?? null),
    feasible: v.feasible ?? null,
    runs: v.iterations.reduce((sum, it) => sum + it.trials.length, 0),
  }))
}
