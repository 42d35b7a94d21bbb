import { z } from 'zod'
import { autoscale, tag } from './options.js'

export default z.strictObject({
  x: tag('time or request_number').default('request_number'),
  y: tag('Metric of single requests'),
  window: z.int().min(1).default(10).describe('Requests that a rolling percentile looks back on'),
  autoscale,
})
