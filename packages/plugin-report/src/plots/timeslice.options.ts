import { z } from 'zod'
import { STATS } from '../figure/measure.js'
import { tag } from './options.js'

export default z.strictObject({ y: tag('Metric'), stat: z.enum(STATS).default('avg').describe('Statistic of each slice') })
