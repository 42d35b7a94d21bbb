import { defineSearchRecipe } from '@aiperf/core'
import { CONCURRENCY, logSteps } from './recipe/space.js'
import { degradationKnee } from './report/degradation-knee.js'

interface Options {
  concurrencyMin: number
  concurrencyMax: number
  concurrencySteps: number
  degradationThreshold: number
  degradationMetricTag: string
  degradationStat: string
}

/** Concurrency at equal ratios, and the knee: the first point whose tail latency is clearly worse than the first one's. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options) => {
      const { concurrencyMin, concurrencyMax, concurrencySteps } = options as unknown as Options
      const values = logSteps(concurrencyMin, concurrencyMax, concurrencySteps, 'concurrency')
      return { kind: 'sweep', cells: values.map((value) => ({ point: { [CONCURRENCY]: value } })) }
    },
    report: (points, options) => {
      const { degradationThreshold, degradationMetricTag, degradationStat } = options as unknown as Options
      return { 'degradation_knee.json': degradationKnee(points, CONCURRENCY, { tag: degradationMetricTag, stat: degradationStat }, degradationThreshold) }
    },
  }),
})
