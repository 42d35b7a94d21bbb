import { z } from 'zod'
import { osl } from './options/outputLength.options.js'
import { recordedTimes } from './options/timing.options.js'

const group = 'Conversation Input'

export default z.strictObject({
  prompts: z.strictObject({ osl }).optional(),
  ...recordedTimes,
  replaySpeedup: z.number().positive().optional().describe('Divide recorded times by this').meta({ flag: '--replay-speedup', group }),
  openLoopReplay: z
    .boolean()
    .optional()
    .describe('Send each turn at its recorded time; off: wait the recorded think time after the reply (default on)')
    .meta({ flag: '--open-loop-replay', group }),
  openLoopStrict: z.boolean().optional().describe('Every row is a session of its own at its recorded time').meta({ flag: '--open-loop-strict', group }),
  omitKvHints: z.boolean().optional().describe('Leave hash_ids and block_size out of the bodies').meta({ flag: '--omit-kv-hints', group }),
  forceMinTokens: z.boolean().optional().describe('Set min_tokens to the recorded output length (default on)').meta({ flag: '--force-min-tokens', group }),
  traceSessionSampleRatio: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('Share of the sessions that is kept, each as a whole')
    .meta({ flag: '--trace-session-sample-ratio', group: 'Input' }),
  maxIdleGapCapSeconds: z
    .number()
    .positive()
    .optional()
    .describe('Longest gap between two requests; longer ones are shortened, seconds')
    .meta({ flag: '--max-idle-gap-cap-seconds', group, value: '<seconds>' }),
})
