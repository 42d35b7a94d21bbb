import { definePlot, type Figure, type NoFigure, type PlotRun, type PlotStyle } from '@aiperf/core'
import { histogram } from '../figure/histogram.js'
import { unitText } from '@aiperf/core/numbers'
import { axisTitle } from '../figure/measure.js'
import { quantile, sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf, whyAbsent } from '../figure/run-data.js'
import { histogramSpec } from '../figure/specs/distribution.js'
import { LOG_NOTE, valueAxis } from '../figure/time-axis.js'
import type schema from './histogram.options.js'

const MARKS = [['p50', 0.5], ['p90', 0.9], ['p99', 0.99]] as const

/** How often which value came, with the percentiles that people quote. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({ draw: ([run], style) => (options.x === 'value' ? values(run!, options.y, style) : slices(run!, options.y, style)) }),
})

async function values(run: PlotRun, tag: string, style: PlotStyle): Promise<Figure | NoFigure> {
  const data = await requestData(run, tag, style)
  if (isAbsent(data) || isFigure(data)) return data
  const sorted = sortedValues(data.column)
  const { log } = valueAxis('v', '', sorted)
  const few = sorted.length < 20
  const title = axisTitle(data.metric)
  const { withheld = {} } = data.metric
  const left = few ? [] : MARKS.flatMap(([name]) => (withheld[name] === undefined ? [] : [`${name} left out: it takes ${counted(withheld[name], 'request')} to be sure of it.`]))
  const marks = few ? [] : MARKS.filter(([name]) => withheld[name] === undefined).map(([name, q]) => ({ name, value: quantile(sorted, q) }))
  return {
    spec: histogramSpec({ buckets: histogram(sorted, log), marks, title, unit: unitText(data.metric.unit), log }, style),
    description: `Distribution of ${title} over ${counted(sorted.length, 'request')}.`,
    subtitle: subtitleOf(run, data.table),
    notes: few ? [`${counted(sorted.length, 'request')}: too few for percentiles.`] : [...left, ...(log ? [LOG_NOTE] : [])],
  }
}

function slices(run: PlotRun, tag: string, style: PlotStyle): Figure | NoFigure {
  if (run.slices.length === 0) return { absent: 'the run has no time slices (--slice-duration)' }
  const rows = run.slices.flatMap((s) => (s.metrics.get(tag)?.avg === undefined ? [] : [{ from: short(s.startSeconds), to: short(s.endSeconds), v: short(s.metrics.get(tag)!.avg!) }]))
  const metric = run.metrics.get(tag)
  if (!metric || rows.length === 0) return { absent: whyAbsent(run, tag) }
  const title = axisTitle(metric, metric.kind === 'record' ? 'avg' : undefined)
  return {
    spec: {
      data: { values: rows },
      mark: { type: 'bar', color: style.series[0]!, opacity: 0.85, binSpacing: 2 },
      encoding: { x: { field: 'from', type: 'quantitative', bin: { binned: true }, title: 'Time since the start of the phase (s)' }, x2: { field: 'to' }, y: { field: 'v', type: 'quantitative', title } },
    },
    description: `${title} in ${counted(rows.length, 'slice')}.`,
    subtitle: subtitleOf(run),
  }
}
