import { z } from 'zod'

export default z.strictObject({
  keepAliveSeconds: z.number().positive().max(86_400).default(300)
    .describe('Longest time an idle connection is kept for another request, in seconds; what the server promises (Keep-Alive: timeout) counts when it is shorter.')
    .meta({ group: 'HTTP', value: '<s>', env: ['AIPERF_HTTP_KEEPALIVE_TIMEOUT'] }),
  dnsTtlSeconds: z.number().nonnegative().max(86_400).default(300)
    .describe('How long a resolved host name is used before it is looked up again, in seconds; 0 looks it up for every connection.')
    .meta({ group: 'HTTP', value: '<s>', env: ['AIPERF_HTTP_TTL_DNS_CACHE'] }),
})
