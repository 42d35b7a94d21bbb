import { defineRamp } from '@aiperf/core';
/**
 * Equal steps at the times of a Poisson process of `range` expected events, drawn once and stretched so that the last
 * event, which reaches the target exactly, falls on the end.
 */
export default defineRamp({
    curve(random, { range }) {
        const times = [];
        for (let t = random.exponential(); t < range; t += random.exponential())
            times.push(t);
        const last = times.at(-1);
        if (last === undefined)
            times.push(1);
        else
            for (let i = 0; i < times.length; i++)
                times[i] /= last;
        const n = times.length;
        return {
            at: (s) => countUpTo(times, s) / n,
            // A share of the way within rounding of k steps is k steps, not k + 1.
            inverse: (p) => (p <= 0 ? 0 : times[Math.min(n, Math.ceil(p * n - 1e-9)) - 1]),
        };
    },
});
function countUpTo(ascending, limit) {
    let low = 0;
    let high = ascending.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (ascending[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
