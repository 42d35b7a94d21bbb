import { z } from 'zod'
import { concurrencyBounds, e2eSlaMs, itlSlaMs, ttftSlaMs } from './recipe/fields.options.js'

export default z.strictObject({
  ttftSlaMs,
  itlSlaMs,
  e2eSlaMs,
  sloAttainmentFraction: z.number().gt(0).max(1).default(0.95).describe('Share of the requests that must meet all objectives, 0 to 1').meta({ flag: '--slo-attainment-fraction', group: 'Search', value: '<share>' }),
  ...concurrencyBounds(),
})
