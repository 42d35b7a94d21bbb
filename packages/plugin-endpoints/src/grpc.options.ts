import { z } from 'zod'

export default z.strictObject({
  channels: z.int().min(1).max(1024).default(4)
    .describe('Connections per server that requests take turns on; each carries many at once.')
    .meta({ group: 'HTTP' }),
})
