import { z } from 'zod'

/** Options of a phase that belong to no timing mode: one item of `phases`. Only the build imports this module. */
export const phase = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/).describe('Name of the phase'),
  kind: z.enum(['warmup', 'profiling']).optional().describe('Whether its requests are measured; follows from the names warmup and profiling'),
  type: z.string().optional().describe('Timing mode, or a shape of load that one knows').meta({ contribution: 'timing_mode', paths: ['phases.*.timingMode'] }),
  requests: z
    .int()
    .min(1)
    .optional()
    .describe('Stop after sending this many requests')
    .meta({ flag: '--request-count', aliases: ['--num-requests'], warmupFlag: '--warmup-request-count', warmupAliases: ['--num-warmup-requests'], group: 'Load Generator', comma: 'sweep', value: '<count>' }),
  sessions: z
    .int()
    .min(1)
    .optional()
    .describe('Stop after starting this many sessions; each is played to its end')
    .meta({ flag: '--conversation-num', aliases: ['--num-conversations', '--num-sessions'], warmupFlag: '--num-warmup-sessions', group: 'Conversation Input', comma: 'sweep', value: '<count>' }),
  duration: z
    .number()
    .positive()
    .optional()
    .describe('Stop sending after this time, seconds')
    .meta({ flag: '--benchmark-duration', warmupFlag: '--warmup-duration', group: 'Load Generator', comma: 'sweep', duration: true, value: '<seconds>' }),
  gracePeriod: z
    .union([z.number().min(0), z.literal('inf')])
    .optional()
    .describe('Time after the duration in which requests in flight may finish, seconds; 30, or inf')
    .meta({ flag: '--benchmark-grace-period', warmupFlag: '--warmup-grace-period', group: 'Load Generator', duration: true, value: '<seconds>' }),
  cancellation: z
    .strictObject({
      rate: z
        .number()
        .gt(0)
        .max(100)
        .describe('Share of the requests that the client cancels, percent')
        .meta({ flag: '--request-cancellation-rate', group: 'Request Cancellation', value: '<percent>' }),
      delay: z
        .number()
        .min(0)
        .default(0)
        .describe('Time after a request was sent at which it is cancelled, seconds')
        .meta({ flag: '--request-cancellation-delay', group: 'Request Cancellation', duration: true, value: '<seconds>' }),
    })
    .optional(),
  failedRequestThreshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of failed requests, 0 to 1, above which the run ends')
    .meta({ flag: '--failed-request-threshold', group: 'Load Generator', value: '<share>' }),
  seamless: z.boolean().default(false).describe('Begin when the previous phase has sent its last request, not when the last answer came'),
  onTurnError: z
    .enum(['continue', 'abort-session'])
    .default('continue')
    .describe('A session goes on after a failed turn, or ends there')
    .meta({ flag: '--on-turn-error', group: 'Load Generator' }),
})
