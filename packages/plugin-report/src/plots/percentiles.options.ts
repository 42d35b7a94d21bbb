import { STATISTICS } from '@aiperf/core'
import { z } from 'zod'
import { names, tag } from './options.js'

export default z.strictObject({
  y: tag('Metric'),
  stats: z.array(z.enum(STATISTICS)).min(1).default(['p50', 'p90', 'p99']).describe('Statistics shown of each run'),
  labels: names('Facts that name each run').optional(),
})
