import { STATISTICS } from '@aiperf/core'
import { z } from 'zod'

/** Pieces that the option schemas of plots share. */
export const tag = (description: string) => z.string().min(1).describe(description)

export const measure = (description: string) =>
  z.union([z.string().min(1), z.strictObject({ metric: z.string().min(1), stat: z.enum(STATISTICS).optional() })]).describe(`${description}: a metric, metric_p99, or {metric, stat}`)

export const autoscale = z.enum(['none', 'x', 'y', 'both']).default('none').describe('Axes that begin where the values begin, not at 0')

export const names = (description: string) => z.union([z.string().min(1), z.array(z.string().min(1))]).describe(description)

export const seriesOptions = {
  windowSeconds: z.number().positive().default(5).describe('Length of the windows into which more samples than a picture can show are gathered, s'),
  aggregation: z.enum(['mean', 'max', 'min', 'median']).default('mean').describe('What stands for the samples of a window'),
}
