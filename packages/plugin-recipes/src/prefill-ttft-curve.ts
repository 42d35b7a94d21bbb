import { defineSearchRecipe } from '@aiperf/core'
import { CONCURRENCY, ISL, logSteps, needsStreaming } from './recipe/space.js'
import { curveText, prefillCurve } from './report/prefill-curve.js'

interface Options {
  islMin: number
  islMax: number
  islSteps: number
}

/** Time to first token over the input length, one request at a time: what prefill costs. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, { model }) => {
      needsStreaming('prefill-ttft-curve', model)
      const { islMin, islMax, islSteps } = options as unknown as Options
      return { kind: 'sweep', fixed: { [CONCURRENCY]: 1 }, cells: logSteps(islMin, islMax, islSteps, 'isl').map((value) => ({ point: { [ISL]: value } })) }
    },
    report: (points) => ({ 'prefill_curve.json': { ...prefillCurve(points, ISL) } }),
    findings: (points) => [curveText(prefillCurve(points, ISL))],
  }),
})
