import { z } from 'zod'

export default z.strictObject({
  enabled: z.boolean().default(false).describe('Sample the load of this machine.').meta({ flag: '--acme-name', group: 'Acme Name' }),
  intervalMs: z.number().min(10).default(500).describe('Time between samples, in ms.').meta({ flag: '--acme-name-interval', group: 'Acme Name' }),
})
