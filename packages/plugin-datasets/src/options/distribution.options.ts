import { z } from 'zod'
import type { OptionMeta } from '@aiperf/core'

const weight = z.number().min(0).optional().describe('Relative weight (default 1)')

/** The parameters of a drawn quantity, see `Distribution`; a bare number is its mean. */
export function distribution(what: string, unit: string, meta: { mean?: OptionMeta; stddev?: OptionMeta; group: string }) {
  const { group } = meta
  return z
    .strictObject({
      mean: z.number().min(0).optional().describe(`${what}: mean, ${unit}`).meta({ group, ...meta.mean }),
      stddev: z.number().min(0).optional().describe(`${what}: standard deviation, ${unit} (default 0)`).meta({ group, ...meta.stddev }),
      median: z.number().positive().optional().describe(`${what}: median of a log-normal law with that mean, ${unit}`),
      peaks: z
        .array(z.strictObject({ mean: z.number().min(0), stddev: z.number().min(0).optional(), weight }))
        .optional()
        .describe(`${what}: several normal laws, drawn by weight`),
      points: z.array(z.strictObject({ value: z.number().min(0), weight })).optional().describe(`${what}: values drawn by weight`),
      min: z.number().min(0).optional().describe(`${what}: lower limit, ${unit}`),
      max: z.number().min(0).optional().describe(`${what}: upper limit, ${unit}`),
    })
    .optional()
    .describe(`${what}, ${unit}`)
    .meta({ group, shorthand: 'mean' })
}
