import { z } from 'zod'

// How often a run is repeated. Only the build imports this module.

const group = 'Repeated Runs'
const MOST_RUNS = 10
const DAY = 86_400
const STATS = ['avg', 'p50', 'p90', 'p95', 'p99', 'min', 'max'] as const

export const multiRun = z
  .strictObject({
    numRuns: z.int().min(1).max(MOST_RUNS).default(1).describe('Runs of every point; at most this many when runs may agree earlier').meta({ flag: '--num-profile-runs', group, value: '<runs>' }),
    cooldownSeconds: z.number().min(0).max(DAY).default(0).describe('Pause between two runs of a point, seconds').meta({ flag: '--profile-run-cooldown-seconds', group, duration: true, value: '<seconds>' }),
    confidenceLevel: z.number().gt(0).lt(1).default(0.95).describe('Level of the intervals of repeated runs').meta({ flag: '--confidence-level', group, value: '<level>' }),
    disableWarmupAfterFirst: z
      .boolean()
      .default(true)
      .describe('Only the first run of a point warms up')
      .meta({ flag: '--profile-run-disable-warmup-after-first', group }),
    setConsistentSeed: z.boolean().default(true).describe('Several runs without a seed use seed 42, not one drawn for each').meta({ flag: '--set-consistent-seed', group }),
    varySeedPerTrial: z.boolean().default(false).describe('Every run of a point has a seed of its own').meta({ flag: '--vary-seed-per-trial', group }),
    convergence: z
      .strictObject({
        metric: z.string().min(1).optional().describe('Metric on which runs must agree; then no further ones are made').meta({ flag: '--convergence-metric', group, value: '<tag>' }),
        stat: z.enum(STATS).default('avg').describe('Statistic of that metric').meta({ flag: '--convergence-stat', group }),
        mode: z.string().default('ci_width').describe('What agreement is').meta({ flag: '--convergence-mode', group, contribution: 'convergence_criterion' }),
        minRuns: z.int().min(2).max(MOST_RUNS).default(3).describe('Fewest runs that can agree'),
      })
      .prefault({}),
  })
  .prefault({})
