import { z } from 'zod'

export default z.strictObject({
  pulseSize: z.int().min(1).max(100_000).default(1).describe('Sessions that begin at once.').meta({ flag: '--acme-name-pulse', group: 'Acme Name', comma: 'sweep' }),
  pulseSeconds: z.number().positive().default(1).describe('Time between pulses, in seconds.').meta({ flag: '--acme-name-every', group: 'Acme Name', duration: true }),
})
