import { defineConvergenceCriterion } from '@aiperf/core'
import type { CriterionOptions } from './convergence/options.js'
import { kolmogorovSmirnov } from './statistics/kolmogorov.js'

/** Runs agree when the requests of the last one are distributed as those of all before: two samples, Kolmogorov and Smirnov. */
export default defineConvergenceCriterion({
  create: (context) => {
    const { threshold } = context.options as unknown as CriterionOptions
    return {
      converged(runs) {
        const samples = runs.map(({ sample }) => sample).filter((sample) => sample.length > 0)
        if (samples.length < 2) return { converged: false, detail: { p: null, threshold } }
        const before = samples.slice(0, -1).flatMap((sample) => Array.from(sample))
        const { distance, p } = kolmogorovSmirnov(samples.at(-1)!, before)
        return { converged: p > threshold, detail: { p, distance, threshold } }
      },
    }
  },
})
