import { z } from 'zod'
import { multiRun } from './multi-run.options.js'
import { sweep } from './sweep.options.js'

/** What stands beside `benchmark` in a config file. Only the build imports this module. */
export const envelope = z.strictObject({
  schemaVersion: z.union([z.string(), z.number()]).optional().describe('Version of the form of this file; 2.0'),
  randomSeed: z.int().min(0).optional().describe('Seed of everything that is drawn').meta({ flag: '--random-seed', group: 'Input', value: '<seed>' }),
  variables: z.record(z.string(), z.json()).default({}).describe('Values for the {{ templates }} of this file'),
  multiRun,
  sweep,
  noSweepTable: z.boolean().default(false).describe('Do not show the table of points').meta({ flag: '--no-sweep-table', group: 'Sweeps' }),
  resume: z.boolean().default(false).describe('Go on with an interrupted sweep or search: what is done is not done again').meta({ flag: '--resume', group: 'Sweeps' }),
})
