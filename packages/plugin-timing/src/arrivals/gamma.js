import { defineArrivalPattern } from '@aiperf/core';
/**
 * Gamma gaps of shape k = `smoothness` (default 1) and mean 1; their coefficient of variation is 1/√k. Below 1 arrivals
 * come in clusters, 1 is poisson, above 1 they approach equal gaps. The same meaning as the burstiness of vLLM's client.
 *
 * The first gap is drawn as an observer who arrives at any time would see it: a length-biased gap, of which a uniform
 * share is left (Cox, Renewal Theory, 1962, ch. 5). The expected count up to t is then t from the start on; with an
 * ordinary first gap it would be off by (1/k − 1)/2 arrivals.
 */
export default defineArrivalPattern({
    start: 'gap',
    gaps(random, { smoothness: k = 1 }) {
        let first = true;
        return () => {
            if (!first)
                return random.gamma(k, 1 / k);
            first = false;
            return random.gamma(k + 1, 1 / k) * random.next();
        };
    },
});
