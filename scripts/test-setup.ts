import fc from 'fast-check'

/**
 * Property tests draw from one seed, so that a run that passed passes again. `AIPERF_TEST_SEED=random` (or a number) and
 * `AIPERF_TEST_RUNS` look further; what they find is a defect of its own.
 */
const { AIPERF_TEST_SEED: seed = '2026', AIPERF_TEST_RUNS: runs } = process.env
fc.configureGlobal({ ...(seed !== 'random' && { seed: Number(seed) }), ...(runs && { numRuns: Number(runs) }) })
