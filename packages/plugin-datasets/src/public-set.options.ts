import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { revision } from './options/public.options.js'

export default z.strictObject({
  subset: z.string().min(1).optional().describe('Subset of the public dataset, instead of the usual one').meta({ flag: '--hf-subset', group: 'Input', value: '<name>' }),
  revision,
  prompts: z.strictObject({ osl }).optional(),
})
