import { definePlot } from '@aiperf/core'
import { scatterLineFigure } from '../figure/figures/scatter-line.js'
import type schema from './compare.options.js'

/** One point per run between two measures, joined in order of load. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({ draw: (runs, style) => scatterLineFigure(runs, options, style) }),
})
