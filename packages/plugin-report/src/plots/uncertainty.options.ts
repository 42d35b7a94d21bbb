import { z } from 'zod'
import { compared } from './compare.options.js'

export default z.strictObject({ ...compared, ciLevel: z.number().gt(0.5).lt(1).default(0.95).describe('Confidence level of the regions') })
