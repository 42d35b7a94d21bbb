import { z } from 'zod'

export default z.strictObject({
  pattern: z
    .enum(['o200k', 'cl100k', 'r50k'])
    .optional()
    .describe('How a tiktoken rank file cuts text into pieces, where its name does not say')
    .meta({ flag: '--tokenizer-pattern', group: 'Tokenizer' }),
})
