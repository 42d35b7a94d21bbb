import { z } from 'zod'
import { boundaryFields } from './boundary/boundary.options.js'

const group = 'Search'
const { confidence, precision, slaPrecision } = boundaryFields

export default z.strictObject({
  confidence,
  precision,
  slaPrecision,
  initialPoints: z.int().min(1).default(5).describe('Points spread over the space before the model chooses').meta({ flag: '--search-initial-points', group, value: '<points>' }),
  improvementPatience: z.int().min(1).default(10).describe('Feasible points without a better one after which a search ends'),
  plateauWindow: z.int().min(2).default(8).describe('Feasible points whose likeness ends a search'),
  plateauThreshold: z.number().min(0).lt(1).default(0.01).describe('Deviation over mean of those points below which it ends'),
})
