import { definePlot, type Figure, type NoFigure, type PlotRun, type PlotStyle } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { failedStarts, isAbsent, isFigure, requestData, subtitleOf } from '../figure/run-data.js'
import { bandsSpec, outliers } from '../figure/specs/bands.js'
import { runEnd } from '../figure/time-axis.js'
import { binWidth, timeBins } from '../figure/time-bins.js'
import type schema from './percentile-bands.options.js'

/** A metric of single requests over time: percentiles of those that started together, and the requests beyond them. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    draw: ([run], style) => draw(run!, options.y, options.autoscale === 'y' || options.autoscale === 'both', style),
  }),
})

async function draw(run: PlotRun, tag: string, fit: boolean, style: PlotStyle): Promise<Figure | NoFigure> {
  const data = await requestData(run, tag, style)
  if (isAbsent(data) || isFigure(data)) return data
  const { table, column, metric, count } = data
  const end = runEnd(table)
  const bins = timeBins(table.startSeconds, column, binWidth(count, table.startSeconds.at(-1) ?? 0))
  const title = axisTitle(metric)
  const points = bins.length < 3 ? Array.from(column, (v, i) => ({ t: table.startSeconds[i]!, v, n: i })).filter(({ v }) => !Number.isNaN(v)) : outliers(table.startSeconds, column, bins)
  const { spec, notes } = bandsSpec({ bins, points, sorted: sortedValues(column), title, count, end, failures: failedStarts(table), fit }, style)
  return { spec, notes, description: `${title} of ${counted(count, 'request')} over ${short(end)} s.`, subtitle: subtitleOf(run, table) }
}
