import { z } from 'zod'

/** The limit of an agreement test; each has a default of its own. */
export const described = (standard: number) =>
  z.strictObject({
    threshold: z
      .number()
      .gt(0)
      .lt(1)
      .default(standard)
      .describe('Limit of the agreement of runs: width of the interval over the mean (0.1), deviation over the mean (0.05), or p-value (0.05)')
      .meta({ flag: '--convergence-threshold', group: 'Repeated Runs', value: '<share>' }),
  })
