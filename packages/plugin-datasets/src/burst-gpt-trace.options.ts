import { z } from 'zod'
import { corpus } from './options/text.options.js'

export default z.strictObject({ prompts: z.strictObject(corpus).optional() })
