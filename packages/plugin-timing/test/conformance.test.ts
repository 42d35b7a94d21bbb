import { describe, test } from 'vitest'
import { testPlugin, type TimingModeCase } from '@aiperf/conformance'

/** Sessions of three turns each, without time stamps. */
const CONVERSATIONS = Array.from({ length: 20 }, () => [undefined, undefined, undefined])
const open = { rate: 50, pattern: 'gamma', smoothness: 2 }
const adaptive: TimingModeCase = {
  options: { adaptiveScale: { sustainDuration: 10, max: 64 }, sla: [{ metric: 'time_to_first_token', op: 'le', threshold: 500 }] },
  skip: { 'its own check finds nothing wrong': 'needs the duration of a phase' },
}

testPlugin({ describe, test }, {
  package: new URL('..', import.meta.url),
  cases: {
    timing_mode: {
      concurrency: { settings: [{ concurrency: 4 }, { concurrency: 8, concurrencyRamp: { duration: 10, strategy: 'linear' } }] },
      request_rate: { settings: [open, { rate: 10, concurrency: 3, overload: 'skip' }, { rate: 20, rateRamp: { duration: 5, strategy: 'exponential' } }] },
      fixed_schedule: { options: { fixedSchedule: true } },
      user_centric: { options: { rate: 10, users: 5 }, dataset: CONVERSATIONS },
      adaptive_scale: adaptive,
    },
  },
})
