import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { revision } from './options/public.options.js'

export default z.strictObject({
  lengthFilter: z
    .boolean()
    .optional()
    .describe('Leave out conversations with a prompt outside 4 to 1024 tokens, an answer below 4, or a pair above 2048 (default on)')
    .meta({ flag: '--sharegpt-length-filter', group: 'Input' }),
  revision,
  prompts: z.strictObject({ osl }).optional(),
})
