import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { recordedTimes } from './options/timing.options.js'

export default z.strictObject({ prompts: z.strictObject({ osl }).optional(), ...recordedTimes })
