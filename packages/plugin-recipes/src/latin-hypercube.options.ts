import { z } from 'zod'
import { designFields } from './design/fields.options.js'

export default z.strictObject({
  ...designFields,
  optimization: z
    .union([z.enum(['random-cd', 'lloyd']), z.null()])
    .default('random-cd')
    .describe('How points are spread further: by swaps that lower the centred discrepancy, by moving to the middle of their cells, or not'),
})
