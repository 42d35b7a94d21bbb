import { STATISTICS } from '@aiperf/core'
import { z } from 'zod'
import { tag } from './options.js'

export default z.strictObject({ y: tag('Metric'), stat: z.enum(STATISTICS).default('avg').describe('Statistic of each slice') })
