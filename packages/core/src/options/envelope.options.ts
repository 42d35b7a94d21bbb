import { z } from 'zod'

/** What stands beside `benchmark` in a config file. Only the build imports this module. */
export const envelope = z.strictObject({
  schemaVersion: z.union([z.string(), z.number()]).optional().describe('Version of the form of this file; 2.0'),
  randomSeed: z.int().min(0).optional().describe('Seed of everything that is drawn').meta({ flag: '--random-seed', group: 'Input', value: '<seed>' }),
  sweep: z
    .strictObject({
      type: z.enum(['grid', 'zip']).optional().describe('Lists of values are combined each with each, or pair by pair').meta({ flag: '--sweep-type', group: 'Multi-Run' }),
    })
    .optional(),
})
