import { definePlot } from '@aiperf/core'
import { paretoFigure } from '../figure/figures/pareto.js'
import type schema from './compare.options.js'

/** One point per run between two measures; those that no other run of their group beats on both are joined. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({ draw: (runs, style) => paretoFigure(runs, options, style) }),
})
