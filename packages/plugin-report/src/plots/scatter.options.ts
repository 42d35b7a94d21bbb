import { z } from 'zod'
import { autoscale, tag } from './options.js'

export default z.strictObject({
  x: tag('time, request_number, or a metric of single requests').default('time'),
  y: tag('Metric of single requests'),
  autoscale,
})
