import { z } from 'zod'

export default z.strictObject({
  width: z
    .number()
    .int()
    .min(80)
    .max(1000)
    .default(140)
    .describe('Width of profile_export_console.txt, columns')
    .meta({ env: ['AIPERF_UI_CONSOLE_EXPORT_WIDTH'], group: 'Output' }),
})
