import { z } from 'zod'
import { concurrencySteps, e2eSlaMs, errorRateSla, itlSlaMs, ttftSlaMs } from './recipe/fields.options.js'

export default z.strictObject({
  ttftSlaMs: ttftSlaMs.optional(),
  itlSlaMs: itlSlaMs.optional(),
  e2eSlaMs: e2eSlaMs.optional(),
  errorRateSla: errorRateSla.optional(),
  searchStyle: z
    .enum(['smooth_isotonic', 'monotonic', 'bo', 'optuna', 'grid'])
    .default('smooth_isotonic')
    .describe('How the concurrency is searched for: by a rising curve, by halving, by a Gaussian process (bo, optuna), or on a grid')
    .meta({ flag: '--search-style', group: 'Search' }),
  ...concurrencySteps(1000, 8),
})
