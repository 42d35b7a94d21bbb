import { z } from 'zod'

export default z.strictObject({
  region: z.string().default('')
    .describe('AWS region of the endpoint; by default that of the URL, then AWS_REGION or AWS_DEFAULT_REGION.')
    .meta({ group: 'HTTP', value: '<region>', env: ['AWS_REGION', 'AWS_DEFAULT_REGION'] }),
  keepAliveSeconds: z.number().positive().max(86_400).default(300)
    .describe('Longest time an idle connection is kept for another request, in seconds.')
    .meta({ group: 'HTTP', value: '<s>' }),
})
