import { z } from 'zod';
import { ramp } from './ramp.options.js';
const group = 'Load Generator';
const concurrency = z
    .int()
    .min(1)
    .meta({ flag: '--concurrency', warmupFlag: '--warmup-concurrency', group, comma: 'sweep', value: '<sessions>' });
const shared = {
    concurrencyRamp: ramp('the concurrency', 'concurrency'),
    prefillConcurrency: z
        .int()
        .min(1)
        .optional()
        .describe('Most requests that wait for their first token at a time; needs streaming')
        .meta({ flag: '--prefill-concurrency', warmupFlag: '--warmup-prefill-concurrency', group, comma: 'sweep', value: '<requests>' }),
    prefillRamp: ramp('the prefill concurrency', 'prefill-concurrency'),
};
/** Limits of a closed loop, where the concurrency is the load. */
export const closedLoopLimits = {
    concurrency: concurrency.default(1).describe('Sessions kept in flight'),
    ...shared,
};
/** Limits of every mode that has a schedule of its own. */
export const scheduleLimits = {
    concurrency: concurrency.optional().describe('Most sessions in flight at a time'),
    ...shared,
    overload: z
        .enum(['queue', 'skip'])
        .default('queue')
        .describe('What becomes of an arrival that finds no free slot: it waits, or it is counted and dropped')
        .meta({ flag: '--overload', warmupFlag: '--warmup-overload', group }),
};
