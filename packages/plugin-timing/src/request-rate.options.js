import { z } from 'zod';
import { scheduleLimits } from './limits.options.js';
import { ramp } from './ramp.options.js';
const group = 'Load Generator';
export const rateFields = {
    rate: z
        .number()
        .positive()
        .optional()
        .describe('Requests per second, later turns of a session included')
        .meta({ flag: '--request-rate', warmupFlag: '--warmup-request-rate', group, comma: 'sweep', value: '<requests/s>' }),
    pattern: z
        .string()
        .optional()
        .describe('Law of the gaps between requests; poisson, or gamma when a smoothness is given')
        .meta({ flag: '--arrival-pattern', aliases: ['--request-rate-mode'], warmupFlag: '--warmup-arrival-pattern', group, contribution: 'arrival_pattern' }),
    smoothness: z
        .number()
        .positive()
        .optional()
        .describe('Shape of gamma gaps: below 1 bursty, 1 poisson, above 1 smooth')
        .meta({ flag: '--arrival-smoothness', aliases: ['--vllm-burstiness'], warmupFlag: '--warmup-arrival-smoothness', group }),
    rateRamp: ramp('the request rate', 'request-rate'),
};
export default z.strictObject({
    ...rateFields,
    rateSeries: z
        .strictObject({
        points: z
            .array(z.strictObject({
            timeS: z.number().min(0).describe('Seconds from the start of the phase, or from the end of the rate ramp'),
            qps: z.number().positive().describe('Requests per second at that time'),
        }))
            .min(2),
    })
        .optional()
        .describe('Rate over time: JSON points {time_s, qps}, joined by straight lines; the last value holds')
        .meta({ flag: '--request-rate-series', group, shorthand: 'points', file: 'json', value: '<file>' }),
    ...scheduleLimits,
});
