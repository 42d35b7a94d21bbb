import { z } from 'zod'
import { osl, revision } from './options/public.options.js'

export default z.strictObject({ revision, prompts: z.strictObject({ osl }).optional() })
