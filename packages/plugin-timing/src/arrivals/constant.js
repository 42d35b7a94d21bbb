import { defineArrivalPattern } from '@aiperf/core';
/** Equal gaps. The first arrival is at the start, so that N arrivals at rate R span (N−1)/R seconds. */
export default defineArrivalPattern({ start: 'zero', gaps: () => () => 1 });
