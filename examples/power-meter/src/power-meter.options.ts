import { z } from 'zod'

export default z.strictObject({
  enabled: z.boolean().default(false).describe('Read the power meter during the run.').meta({ flag: '--power-meter', group: 'Power meter' }),
  url: z.string().default('http://127.0.0.1:8094/readings').describe('Where the meter answers.').meta({ flag: '--power-meter-url', group: 'Power meter', value: '<url>' }),
  intervalMs: z.number().min(20).default(1000).describe('Time between readings, in ms.').meta({ flag: '--power-meter-interval', group: 'Power meter' }),
})
