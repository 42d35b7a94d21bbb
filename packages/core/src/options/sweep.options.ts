import { z } from 'zod'

// At which points a benchmark is run. What recipes and planners need besides is in their packages. Only the build imports
// this module.

const group = 'Sweeps'
const search = 'Search'
const DAY = 86_400
const anyValue = z.json()
const byPath = z.record(z.string(), anyValue)

const limit = z.union([
  z.string().min(1),
  z.strictObject({
    metric: z.string().min(1),
    stat: z.string().default('avg'),
    op: z.enum(['lt', 'le', 'gt', 'ge', 'eq', '<', '<=', '>', '>=', '==']),
    threshold: z.number(),
  }),
])

export const sweep = z
  .strictObject({
    type: z
      .enum(['grid', 'zip', 'scenarios', 'sobol', 'latin_hypercube', 'adaptive_search'])
      .optional()
      .describe('How points are made of lists: each value with each (grid), or pair by pair (zip); the other kinds need a config file')
      .meta({ flag: '--sweep-type', group }),
    parameters: z.record(z.string(), z.array(anyValue).min(1)).optional().describe('Lists of values by path, for grid and zip'),
    runs: z
      .array(z.strictObject({ name: z.string().min(1).optional(), values: byPath.optional(), variables: byPath.optional(), benchmark: byPath.optional() }))
      .min(1)
      .optional()
      .describe('Points of a scenario sweep: each is laid over the benchmark'),
    variants: z
      .array(z.string().min(1))
      .default([])
      .describe('A named point, "[name:] flag=value, flag=value"; give at least two')
      .meta({ flag: '--variant', aliases: ['--sweep-variant'], group, single: true, value: '<point>' }),
    iterationOrder: z
      .enum(['repeated', 'independent'])
      .default('repeated')
      .describe('All points once, then all again; or all runs of a point, then the next')
      .meta({ flag: '--parameter-sweep-mode', group }),
    order: z.enum(['given', 'random']).default('given').describe('Order of the points; random is drawn from the seed').meta({ flag: '--parameter-sweep-order', group }),
    sameSeed: z.boolean().default(false).describe('All points share one seed, not base + index').meta({ flag: '--parameter-sweep-same-seed', group }),
    cooldownSeconds: z.number().min(0).max(DAY).default(0).describe('Pause between two points, seconds').meta({ flag: '--parameter-sweep-cooldown-seconds', group, duration: true, value: '<seconds>' }),
    failOn: z
      .string()
      .regex(/^(any|all|[1-9]\d*)$/)
      .default('any')
      .describe('Failed runs that make the exit code 4: any, all, or a number')
      .meta({ flag: '--fail-on', group, value: 'any|all|<runs>' }),
    slaFilters: z
      .array(limit)
      .default([])
      .describe('What a point must keep, metric:stat:op:threshold with op lt, le, gt or ge')
      .meta({ flag: '--search-sla', group: search, single: true, value: '<limit>' }),
    slaTiers: z
      .array(z.union([z.string().min(1), z.strictObject({ label: z.string().min(1).optional(), filters: z.array(limit).min(1) })]))
      .default([])
      .describe('Limits of one of several service levels, "[label:]limit,limit"; give 2 to 10')
      .meta({ flag: '--search-sla-tier', group: search, single: true, value: '<limits>' }),
    pareto: z
      .string()
      .optional()
      .describe('Axes of the Pareto front, e.g. "time_to_first_token:p95:min,output_token_throughput:avg:max"')
      .meta({ flag: '--pareto', group, value: '<axis,axis>' }),
    recipe: z
      .string()
      .optional()
      .describe('A search or sweep that is ready made')
      .meta({ flag: '--search-recipe', group: search, contribution: 'search_recipe', paths: ['sweep.recipeName'] }),
    planner: z.string().optional().describe('How a search chooses its points').meta({ flag: '--search-planner', group: search, contribution: 'search_planner' }),
    searchSpace: z
      .array(
        z.union([
          z.string().min(1),
          z.strictObject({ path: z.string().min(1), lo: z.number(), hi: z.number(), kind: z.enum(['int', 'real']).default('real'), prior: z.enum(['uniform', 'log-uniform']).default('uniform') }),
        ]),
      )
      .default([])
      .describe('A dimension of the search, path:lo,hi[:int|real]')
      .meta({ flag: '--search-space', group: search, single: true, value: '<dimension>' }),
    metric: z.string().min(1).optional().describe('Metric that a search makes large or small').meta({ flag: '--search-metric', group: search, value: '<tag>' }),
    stat: z.enum(['avg', 'p50', 'p90', 'p95', 'p99']).optional().describe('Statistic of that metric (default avg)').meta({ flag: '--search-stat', group: search }),
    direction: z.enum(['maximize', 'minimize']).optional().describe('Whether large or small is good').meta({ flag: '--search-direction', group: search }),
    objectives: z
      .array(z.strictObject({ metric: z.string().min(1), stat: z.string().default('avg'), direction: z.enum(['maximize', 'minimize']), threshold: z.number().optional() }))
      .min(1)
      .optional()
      .describe('Several objectives of a search, in place of metric, stat and direction'),
    outcomeConstraints: z
      .array(z.strictObject({ metric: z.string().min(1), op: z.enum(['<=', '>=', '==']), bound: z.number() }))
      .optional()
      .describe('Limits on the mean of metrics'),
    maxIterations: z.int().min(2).max(200).optional().describe('Points that a search runs at most').meta({ flag: '--search-max-iterations', group: search, value: '<points>' }),
    randomSeed: z.int().min(0).optional().describe('Seed of what a search draws (default: the seed of the run)').meta({ flag: '--search-random-seed', group: search, value: '<seed>' }),
    percentilePooling: z
      .enum(['mean', 'pooled'])
      .default('mean')
      .describe('Percentiles of several runs at a point are averaged, or computed over their requests together')
      .meta({ flag: '--search-percentile-pooling', group: search }),
  })
  .prefault({})
