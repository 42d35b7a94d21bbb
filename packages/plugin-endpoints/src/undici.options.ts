import { z } from 'zod'

export default z.strictObject({
  http2: z.boolean().default(true)
    .describe('Use HTTP/2 where the server offers it (TLS only).')
    .meta({ group: 'HTTP' }),
  environmentProxy: z.boolean().default(true)
    .describe('Send through the proxies named by HTTP_PROXY, HTTPS_PROXY and NO_PROXY.')
    .meta({ group: 'HTTP', env: ['AIPERF_HTTP_TRUST_ENV'] }),
  keepAliveSeconds: z.number().positive().max(86_400).default(300)
    .describe('Longest time an idle connection is kept for another request, in seconds.')
    .meta({ group: 'HTTP', value: '<s>' }),
})
