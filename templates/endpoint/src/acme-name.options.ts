import { z } from 'zod'

export default z.strictObject({
  temperature: z.number().min(0).max(2).default(1).describe('Randomness of the sampling, 0 to 2.').meta({ flag: '--acme-name-temperature', group: 'Acme Name' }),
})
