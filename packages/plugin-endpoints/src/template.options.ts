import { z } from 'zod'

export default z.strictObject({
  payloadTemplate: z.string().default('')
    .describe('The template of a request body: the text itself, the path of a file, or the name of a built-in one (nv-embedqa). Must render to JSON.')
    .meta({ group: 'Endpoint', value: '<template>' }),
  responseField: z.string().default('text')
    .describe('Where the answer stands in a response: a JMESPath expression; "text" looks for text, embeddings or rankings by itself.')
    .meta({ group: 'Endpoint', value: '<path>' }),
})
