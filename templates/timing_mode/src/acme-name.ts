import { defineTimingMode } from '@aiperf/core'
import type options from './acme-name.options.js'

export default defineTimingMode<typeof options>({
  // A plan is pure: no clock, and random numbers from `context.random` only. The engine executes it.
  plan({ options: { pulseSize, pulseSeconds } }) {
    let sent = 0
    return {
      arrivals: { kind: 'timed', next: () => ({ dueNs: Math.floor(sent++ / pulseSize) * Math.round(pulseSeconds * 1e9) }) },
      nextTurn: { kind: 'after-reply' },
      limits: {},
      sessions: 'sample',
      overload: 'queue',
      offeredRate: () => pulseSize / pulseSeconds,
    }
  },
})
