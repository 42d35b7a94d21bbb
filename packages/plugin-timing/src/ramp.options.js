import { z } from 'zod';
/** Options of a ramp; the flags differ by what is ramped. */
export const ramp = (what, flag, group = 'Load Generator') => z
    .strictObject({
    duration: z
        .number()
        .positive()
        .describe(`Seconds in which ${what} climbs to its value`)
        .meta({ flag: `--${flag}-ramp-duration`, warmupFlag: `--warmup-${flag}-ramp-duration`, group, duration: true, value: '<seconds>' }),
    strategy: z
        .string()
        .default('linear')
        .describe(`Curve by which ${what} climbs`)
        .meta({ flag: `--${flag}-ramp-curve`, warmupFlag: `--warmup-${flag}-ramp-curve`, group, contribution: 'ramp' }),
    exponent: z.number().gt(1).optional().describe('Exponent of the exponential curve (default 2)'),
})
    .optional()
    .meta({ shorthand: 'duration' });
