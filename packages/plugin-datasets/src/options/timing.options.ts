import { z } from 'zod'

/** Options of all formats whose rows may have times. */
export const recordedTimes = {
  ignoreTraceDelays: z.boolean().optional().describe('Leave out recorded time stamps and delays').meta({ flag: '--ignore-trace-delays', group: 'Input' }),
  interTurnDelayCapSeconds: z
    .number()
    .min(0)
    .optional()
    .describe('Longest recorded delay that is kept; longer ones are shortened, seconds')
    .meta({ flag: '--inter-turn-delay-cap-seconds', group: 'Conversation Input', value: '<seconds>' }),
}
