import { defineTimingMode } from '@aiperf/core';
import { checkLimits, limitRamps, planLimits } from './limits.js';
/** Closed loop: `concurrency` sessions are kept in flight; one that ends is replaced at once. */
export default defineTimingMode({
    uses: (o) => ({ ramp: limitRamps(o) }),
    check: checkLimits,
    plan: (context) => ({
        arrivals: { kind: 'asap' },
        nextTurn: { kind: 'after-reply' },
        limits: planLimits(context),
        sessions: 'sample',
        overload: 'queue',
    }),
});
