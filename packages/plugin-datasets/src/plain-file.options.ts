import { z } from 'zod'
import { osl } from './options/outputLength.options.js'

/** Options of the formats that have no others. */
export default z.strictObject({ prompts: z.strictObject({ osl }).optional() })
