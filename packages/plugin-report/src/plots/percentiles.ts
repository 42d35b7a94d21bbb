import { definePlot } from '@aiperf/core'
import { percentilesFigure } from '../figure/figures/percentiles.js'
import type schema from './percentiles.options.js'

/** Statistics of one metric by run: bars for a few runs, curves over the load for many, dots where there is no load. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({ draw: (runs, style) => percentilesFigure(runs, options, style) }),
})
