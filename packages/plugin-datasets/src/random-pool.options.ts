import { z } from 'zod'
import { batchSize } from './options/batch.options.js'
import { osl } from './options/outputLength.options.js'

export default z.strictObject({
  prompts: z.strictObject({ batchSize: batchSize.prompt, osl }).optional(),
  images: z.strictObject({ batchSize: batchSize.image }).optional(),
  audio: z.strictObject({ batchSize: batchSize.audio }).optional(),
  video: z.strictObject({ batchSize: batchSize.video }).optional(),
})
