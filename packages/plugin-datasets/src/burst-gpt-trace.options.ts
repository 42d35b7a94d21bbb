import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { synthesis } from './options/synthesis.options.js'
import { corpus } from './options/text.options.js'
import { recordedTimes } from './options/timing.options.js'

export default z.strictObject({ prompts: z.strictObject({ osl, ...corpus }).optional(), synthesis, ...recordedTimes })
