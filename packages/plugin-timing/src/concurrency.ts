import { defineTimingMode } from '@aiperf/core'
import type options from './concurrency.options.js'
import { checkLimits, limitRamps, planLimits } from './limits.js'

/** Closed loop: `concurrency` sessions are kept in flight; one that ends is replaced at once. */
export default defineTimingMode<typeof options>({
  uses: (o) => ({ ramp: limitRamps(o) }),
  check: checkLimits,
  plan: (context) => ({
    arrivals: { kind: 'asap' },
    nextTurn: { kind: 'after-reply' },
    limits: planLimits(context),
    sessions: 'sample',
    overload: 'queue',
  }),
})
