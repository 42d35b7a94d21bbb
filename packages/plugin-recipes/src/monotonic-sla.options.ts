import { z } from 'zod'
import { boundaryFields } from './boundary/boundary.options.js'

export default z.strictObject({
  ...boundaryFields,
  monotonicStabilityTrials: z.int().min(1).max(10).default(2).describe('Runs of a point before it counts'),
})
