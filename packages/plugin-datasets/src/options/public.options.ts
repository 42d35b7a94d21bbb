import { z } from 'zod'

/** Output length of data with recorded answers, or none. */
export const osl = z
  .strictObject({
    mean: z
      .number()
      .min(1)
      .optional()
      .describe('Output length asked for, tokens; recorded ones are not used then')
      .meta({ flag: '--prompt-output-tokens-mean', aliases: ['--output-tokens-mean', '--osl'], comma: 'sweep', group: 'Output Sequence Length (OSL)', value: '<tokens>' }),
  })
  .optional()
  .meta({ shorthand: 'mean' })

export const revision = z
  .string()
  .min(1)
  .optional()
  .describe('Branch, tag or commit of a public dataset (default main)')
  .meta({ flag: '--dataset-revision', group: 'Input', value: '<revision>' })
