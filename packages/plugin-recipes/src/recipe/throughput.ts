import type { Constraint, RecipeBase, Search } from '@aiperf/core'
import { concurrencyDimension, needsStreaming } from './space.js'

const ITERATIONS = 30

/** The highest throughput of tokens whose tail keeps a limit, over concurrency. */
export function throughputUnder(recipe: string, limit: Constraint, bounds: { concurrencyMin: number; concurrencyMax: number }, { model }: RecipeBase): Search {
  needsStreaming(recipe, model)
  return {
    kind: 'search',
    planner: 'bayesian',
    plannerOptions: {},
    dimensions: [concurrencyDimension(bounds)],
    objectives: [{ tag: 'output_token_throughput', stat: 'avg', direction: 'maximize' }],
    constraints: [limit],
    fixed: {},
    maxIterations: ITERATIONS,
  }
}
