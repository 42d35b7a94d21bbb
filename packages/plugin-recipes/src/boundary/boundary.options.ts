import { z } from 'zod'

const group = 'Search'

/** Options of the planners that look for where limits break. */
export const boundaryFields = {
  confidence: z.number().gt(0.5).lt(1).default(0.95).describe('Confidence with which the answer of a search keeps its limits').meta({ flag: '--search-confidence', group, value: '<level>' }),
  precision: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('Relative width of the bracket at which a search ends')
    .meta({ env: ['AIPERF_SEARCH_PLANNER_SLA_PRECISION_DEFAULT'] }),
  slaReplicates: z.int().min(0).max(20).default(0).describe('Runs of one point at most; 0: as many as its noise asks for').meta({ flag: '--search-replicates', group, value: '<runs>' }),
  slaPrecision: z
    .enum(['tight', 'normal', 'coarse'])
    .optional()
    .describe('Requests of a point that says nothing of its end: 10000, 1000 or 300; otherwise 100, and always 10 for each session in flight')
    .meta({ flag: '--sla-precision', group }),
  slaWarmupSeconds: z
    .number()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('Warm-up before every point of a search, at its own load, seconds; 0: as the run says')
    .meta({ flag: '--search-warmup-seconds', group, duration: true, value: '<seconds>' }),
}
