import { defineSearchRecipe, type PointResult } from '@aiperf/core'
import { CONCURRENCY, logSteps } from './recipe/space.js'
import { degradationKnee, kneeText, type Knee } from './report/degradation-knee.js'

interface Options {
  concurrencyMin: number
  concurrencyMax: number
  concurrencySteps: number
  degradationThreshold: number
  degradationMetricTag: string
  degradationStat: string
}

const kneeOf = (points: readonly PointResult[], { degradationThreshold, degradationMetricTag, degradationStat }: Options): Knee =>
  degradationKnee(points, CONCURRENCY, { tag: degradationMetricTag, stat: degradationStat }, degradationThreshold)

/** Concurrency at equal ratios, and the knee: the first point whose tail latency is clearly worse than the first one's. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options) => {
      const { concurrencyMin, concurrencyMax, concurrencySteps } = options as unknown as Options
      const values = logSteps(concurrencyMin, concurrencyMax, concurrencySteps, 'concurrency')
      return { kind: 'sweep', cells: values.map((value) => ({ point: { [CONCURRENCY]: value } })) }
    },
    report: (points, options) => ({ 'degradation_knee.json': { ...kneeOf(points, options as unknown as Options) } }),
    findings: (points, options) => [kneeText(kneeOf(points, options as unknown as Options))],
  }),
})
