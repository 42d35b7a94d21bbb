import { z } from 'zod'

export const revision = z
  .string()
  .min(1)
  .optional()
  .describe('Branch, tag or commit of a public dataset (default main)')
  .meta({ flag: '--dataset-revision', group: 'Input', value: '<revision>' })
