import { defineRamp } from '@aiperf/core';
/** Ease-in: the share of the time to the power of `exponent` (above 1, default 2). */
export default defineRamp({
    curve: (_random, { exponent = 2 }) => ({ at: (s) => s ** exponent, inverse: (p) => p ** (1 / exponent) }),
});
