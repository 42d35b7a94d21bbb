import { z } from 'zod';
import { scheduleLimits } from './limits.options.js';
const group = 'Fixed Schedule';
export default z.strictObject({
    fixedSchedule: z
        .boolean()
        .optional()
        .describe('Send at the time stamps in the dataset; --no-fixed-schedule keeps a trace from choosing this by itself')
        .meta({ flag: '--fixed-schedule', group }),
    autoOffset: z
        .boolean()
        .optional()
        .describe('The first time stamp is the start of the phase (default, unless a start offset is given)')
        .meta({ flag: '--fixed-schedule-auto-offset', group }),
    startOffset: z
        .number()
        .min(0)
        .optional()
        .describe('Time stamp at which the replay begins, ms; what is earlier is left out')
        .meta({ flag: '--fixed-schedule-start-offset', group, value: '<ms>' }),
    endOffset: z
        .number()
        .min(0)
        .optional()
        .describe('Time stamp after which nothing is sent, ms')
        .meta({ flag: '--fixed-schedule-end-offset', group, value: '<ms>' }),
    straddling: z
        .enum(['rebase', 'drop'])
        .default('rebase')
        .describe('Sessions that began before the start offset: begin at their first turn within the window, or are left out')
        .meta({ flag: '--fixed-schedule-straddling', group }),
    ...scheduleLimits,
});
