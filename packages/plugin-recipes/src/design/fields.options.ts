import { z } from 'zod'

const choice = z.union([z.string(), z.number(), z.boolean()])

// Options of the designs whose points are spread over a space.
export const designFields = {
  samples: z.int().min(2).max(2 ** 20).describe('Points of the design'),
  seed: z.int().min(0).optional().describe('Seed of the design; the seed of the run when not given'),
  scramble: z.boolean().default(true).describe('Points are moved at random within their strata'),
  labelFormat: z.enum(['index', 'kv']).default('index').describe('Points are named by number, or by their values'),
  dimensions: z
    .array(
      z.strictObject({
        path: z.string().min(1).describe('Path of the swept option'),
        lo: z.number().optional(),
        hi: z.number().optional(),
        choices: z.array(choice).min(1).optional().describe('Values to choose from, in place of bounds'),
        scale: z.enum(['linear', 'log']).default('linear'),
        kind: z.enum(['real', 'int']).default('real'),
      }),
    )
    .min(1)
    .describe('What is varied, and within which bounds'),
}
