import { z } from 'zod'

export default z.strictObject({
  keepAliveSeconds: z.number().positive().default(300).describe('Longest time an idle connection is kept for another request, in seconds.').meta({ group: 'Acme Name' }),
})
