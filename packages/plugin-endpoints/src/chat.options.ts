import { z } from 'zod'

export default z.strictObject({
  forceContentParts: z.boolean().default(false)
    .describe('Always send the content of a message as an array of parts, also where it is one text.')
    .meta({ group: 'Endpoint', env: ['AIPERF_ENDPOINT_FORCE_CONTENT_PARTS'] }),
})
