import { z } from 'zod'

export default z.strictObject({
  acmeNameMost: z.int().min(1).max(65_536).default(32).describe('Highest concurrency.').meta({ flag: '--acme-name-most', group: 'Acme Name' }),
})
