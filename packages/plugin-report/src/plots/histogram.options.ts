import { z } from 'zod'
import { tag } from './options.js'

export default z.strictObject({
  y: tag('Metric of single requests'),
  x: z.enum(['value', 'timeslice', 'Timeslice']).default('value').describe('value: how often which value came; timeslice: the mean of each time slice as a bar'),
})
