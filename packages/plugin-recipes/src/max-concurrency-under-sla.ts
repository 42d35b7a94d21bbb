import { ConfigurationError, defineSearchRecipe, type RecipeBase, type Search, type Sweep } from '@aiperf/core'
import { slaLimits, type SlaOptions } from './recipe/limits.js'
import { CONCURRENCY, concurrencyDimension, logSteps, needsStreaming } from './recipe/space.js'
import { slaBreach } from './report/sla-breach.js'

interface Options extends SlaOptions {
  searchStyle: 'smooth_isotonic' | 'monotonic' | 'bo' | 'optuna' | 'grid'
  concurrencyMin: number
  concurrencyMax: number
  concurrencySteps: number
}

/** Planner of each style, and the most runs it makes: repetitions near the boundary count. */
const PLANNERS = { smooth_isotonic: ['smooth_isotonic', 60], monotonic: ['monotonic_sla', 60], bo: ['bayesian', 30], optuna: ['optuna', 30] } as const

/** The highest concurrency at which all given limits are kept. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, base) => expand(options as unknown as Options, base),
    report: (points, options) => ({ 'sla_breach.json': slaBreach(points, CONCURRENCY, slaLimits(options as unknown as Options)) }),
  }),
})

function expand(options: Options, { model, tiers }: RecipeBase): Search | Sweep {
  const constraints = slaLimits(options)
  if (constraints.length === 0 && tiers.length === 0)
    throw new ConfigurationError([
      { flags: ['--search-recipe', '--ttft-sla-ms', '--itl-sla-ms', '--e2e-sla-ms', '--error-rate-sla'], message: '--search-recipe max-concurrency-under-sla needs at least one limit: --ttft-sla-ms, --itl-sla-ms, --e2e-sla-ms or --error-rate-sla.', hint: 'For example --ttft-sla-ms 200.' },
    ])
  if (options.ttftSlaMs !== undefined || options.itlSlaMs !== undefined) needsStreaming('max-concurrency-under-sla', model)
  const dimension = concurrencyDimension(options)
  if (options.searchStyle === 'grid') {
    const values = logSteps(options.concurrencyMin, options.concurrencyMax, options.concurrencySteps, 'concurrency')
    return { kind: 'sweep', cells: values.map((value) => ({ point: { [CONCURRENCY]: value } })), constraints }
  }
  const [planner, maxIterations] = PLANNERS[options.searchStyle]
  // What grows with the concurrency that was really reached, not with the one that was asked for.
  return { kind: 'search', planner, plannerOptions: {}, dimensions: [dimension], objectives: [{ tag: 'effective_concurrency', stat: 'avg', direction: 'maximize' }], constraints, fixed: {}, maxIterations }
}
