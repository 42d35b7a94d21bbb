import { z } from 'zod'

/** Output length of loaders whose data has recorded answers. */
const osl = z
  .strictObject({
    mean: z
      .number()
      .min(1)
      .optional()
      .describe('Output length asked for instead of the recorded one, tokens')
      .meta({ flag: '--prompt-output-tokens-mean', aliases: ['--output-tokens-mean', '--osl'], comma: 'sweep', group: 'Output Sequence Length (OSL)', value: '<tokens>' }),
  })
  .optional()
  .meta({ shorthand: 'mean' })

export default z.strictObject({
  lengthFilter: z
    .boolean()
    .optional()
    .describe('Leave out conversations with a prompt outside 4 to 1024 tokens, an answer below 4, or a pair above 2048 (default true)')
    .meta({ flag: '--sharegpt-length-filter', group: 'Input' }),
  prompts: z.strictObject({ osl }).optional(),
})
