import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { revision } from './options/public.options.js'

export default z.strictObject({ revision, prompts: z.strictObject({ osl }).optional() })
