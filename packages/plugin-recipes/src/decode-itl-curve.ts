import { defineSearchRecipe } from '@aiperf/core'
import { CONCURRENCY, logSteps, needsStreaming, OSL } from './recipe/space.js'
import { itlSurface } from './report/itl-surface.js'

interface Options {
  concurrencyMin: number
  concurrencyMax: number
  concurrencySteps: number
  oslMin: number
  oslMax: number
  oslSteps: number
}

/** Time between tokens over concurrency and output length. */
export default defineSearchRecipe({
  create: () => ({
    expand: (options, { model }) => {
      needsStreaming('decode-itl-curve', model)
      const { concurrencyMin, concurrencyMax, concurrencySteps, oslMin, oslMax, oslSteps } = options as unknown as Options
      const lengths = logSteps(oslMin, oslMax, oslSteps, 'osl')
      const loads = logSteps(concurrencyMin, concurrencyMax, concurrencySteps, 'concurrency')
      return { kind: 'sweep', cells: lengths.flatMap((osl) => loads.map((load) => ({ point: { [OSL]: osl, [CONCURRENCY]: load } }))) }
    },
    report: (points) => ({ 'decode_itl_surface.json': itlSurface(points, CONCURRENCY, OSL) }),
  }),
})
