import { defineArrivalPattern } from '@aiperf/core';
/** Bursts of `burst` arrivals at one instant, with a gap between bursts that keeps the mean rate. */
export default defineArrivalPattern({
    start: 'zero',
    gaps(_random, { burst = 1 }) {
        let n = 0;
        return () => (++n % burst === 0 ? burst : 0);
    },
});
