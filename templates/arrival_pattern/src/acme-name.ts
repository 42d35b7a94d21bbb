import { defineArrivalPattern } from '@aiperf/core'

/** Gaps have the mean 1: the planner scales them to the rate that the user asked for. */
export default defineArrivalPattern({
  start: 'gap',
  gaps: (random) => () => 2 * random.next(),
})
