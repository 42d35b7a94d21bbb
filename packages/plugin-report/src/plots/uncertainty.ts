import { definePlot } from '@aiperf/core'
import { uncertaintyFigure } from '../figure/figures/uncertainty.js'
import type schema from './uncertainty.options.js'

/** Means of repeated runs between two measures, with what their scatter leaves uncertain. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({ draw: (runs, style) => uncertaintyFigure(runs, options, style) }),
})
