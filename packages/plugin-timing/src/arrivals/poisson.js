import { defineArrivalPattern } from '@aiperf/core';
/** Exponential gaps: arrivals independent of each other, as from many users who do not know of one another. */
export default defineArrivalPattern({ start: 'gap', gaps: (random) => () => random.exponential() });
