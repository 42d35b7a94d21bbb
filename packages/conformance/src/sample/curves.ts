import type { ArrivalPattern, Ramp } from '@aiperf/core'

/** Stand for patterns and ramps of other packages, which a package under test may name. */
export const FALLBACK_PATTERN: ArrivalPattern = { start: 'gap', gaps: (random) => () => random.exponential(1) }
export const FALLBACK_RAMP: Ramp = { curve: () => ({ at: (s) => s, inverse: (p) => p }) }
