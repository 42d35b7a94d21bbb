import { defineConvergenceCriterion } from '@aiperf/core'
import { valuesOf, type CriterionOptions } from './convergence/options.js'
import { deviation, mean } from './statistics/student.js'

/** Runs agree when they scatter little: sample deviation over mean. */
export default defineConvergenceCriterion({
  create: (context) => {
    const { threshold } = context.options as unknown as CriterionOptions
    return {
      converged(runs) {
        const values = valuesOf(runs)
        const centre = mean(values)
        if (values.length < 2 || centre === 0) return { converged: false, detail: { cv: null, threshold } }
        const cv = deviation(values) / Math.abs(centre)
        return { converged: cv < threshold, detail: { cv, threshold } }
      },
    }
  },
})
