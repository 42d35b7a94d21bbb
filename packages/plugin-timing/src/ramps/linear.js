import { defineRamp } from '@aiperf/core';
/** A straight line. */
export default defineRamp({ curve: () => ({ at: (s) => s, inverse: (p) => p }) });
