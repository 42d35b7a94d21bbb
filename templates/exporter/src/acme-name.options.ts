import { z } from 'zod'

export default z.strictObject({
  acmeNameDigits: z.int().min(0).max(9).default(2).describe('Digits after the decimal point.').meta({ flag: '--acme-name-digits', group: 'Acme Name' }),
})
