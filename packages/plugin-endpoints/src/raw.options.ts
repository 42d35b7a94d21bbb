import { z } from 'zod'

export default z.strictObject({
  responseField: z.string().default('text')
    .describe('Where the answer stands in a response: a JMESPath expression; "text" looks for text, embeddings or rankings by itself.')
    .meta({ group: 'Endpoint', value: '<path>' }),
})
