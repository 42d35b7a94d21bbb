import { defineConvergenceCriterion } from '@aiperf/core'
import { valuesOf, type CriterionOptions } from './convergence/options.js'
import { deviation, mean, tQuantile } from './statistics/student.js'

const STANDARD_LEVEL = 0.95

/** Runs agree when Student's interval of their mean is narrow: its whole width, over the mean. */
export default defineConvergenceCriterion({
  create: (context) => {
    const { threshold, confidenceLevel = STANDARD_LEVEL } = context.options as unknown as CriterionOptions
    return {
      converged(runs) {
        const values = valuesOf(runs)
        const centre = mean(values)
        if (values.length < 2 || centre === 0) return { converged: false, detail: { width: null, threshold } }
        const half = tQuantile(1 - (1 - confidenceLevel) / 2, values.length - 1) * (deviation(values) / Math.sqrt(values.length))
        const width = (2 * half) / Math.abs(centre)
        return { converged: width < threshold, detail: { width, threshold, confidence_level: confidenceLevel } }
      },
    }
  },
})
