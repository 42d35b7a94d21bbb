import { definePlot, type Figure, type JsonObject, type NoFigure, type PlotRun, type PlotStyle } from '@aiperf/core'
import { histogram } from '../figure/histogram.js'
import { logTicks } from '../figure/log-ticks.js'
import { axisTitle, unitText } from '../figure/measure.js'
import { quantile, sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf, whyAbsent } from '../figure/run-data.js'
import { valueAxis } from '../figure/time-axis.js'
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
  const buckets = histogram(sorted, log)
  const title = axisTitle(data.metric)
  const x: JsonObject = { field: 'from', type: 'quantitative', title, scale: { type: log ? 'log' : 'linear', zero: false, nice: false, domain: [short(buckets[0]!.from), short(buckets.at(-1)!.to)] }, ...(log ? { axis: { values: logTicks(buckets[0]!.from, buckets.at(-1)!.to), format: ',~r' } } : {}) }
  const few = sorted.length < 20
  const marks = few ? [] : MARKS.map(([name, q]) => ({ name: `${name} ${Number(quantile(sorted, q).toPrecision(4)).toLocaleString('en-US')} ${unitText(data.metric.unit)}`.trim(), v: short(quantile(sorted, q)) }))
  return {
    spec: {
      layer: [
        {
          data: { values: buckets.map((b) => ({ from: short(b.from), to: short(b.to), n: b.count })) },
          mark: { type: 'bar', color: style.series[0]!, opacity: 0.8, binSpacing: 1 },
          encoding: { x: { ...x, bin: { binned: true } }, x2: { field: 'to' }, y: { field: 'n', type: 'quantitative', title: 'Requests', axis: { tickMinStep: 1 }, scale: { domainMax: Math.ceil(Math.max(...buckets.map((b) => b.count)) * (few ? 1.05 : 1.22)) } }, tooltip: [{ field: 'from', title: 'From', format: ',.4~r' }, { field: 'to', title: 'To', format: ',.4~r' }, { field: 'n', title: 'Requests' }] },
        },
        // Each a line lower than the one before: percentiles may lie close together.
        ...marks.flatMap(({ name, v }, i) => [{ data: { values: [{ v }] }, mark: { type: 'rule' as const, color: style.text, strokeDash: [4, 3] }, encoding: { x: { ...x, field: 'v' }, y: { value: 2 + 16 * i }, y2: { value: 'height' } } }, {
          data: { values: [{ name, v }] },
          mark: { type: 'text' as const, align: v > (buckets[0]!.from + 3 * buckets.at(-1)!.to) / 4 && !log ? ('right' as const) : ('left' as const), dx: v > (buckets[0]!.from + 3 * buckets.at(-1)!.to) / 4 && !log ? -5 : 5, baseline: 'top' as const, color: style.text, fontWeight: 600 },
          encoding: { x: { ...x, field: 'v' }, y: { value: 2 + 16 * i }, text: { field: 'name' } },
        }]),
      ],
    },
    description: `Distribution of ${title} over ${counted(sorted.length, 'request')}.`,
    subtitle: subtitleOf(run, data.table),
    notes: few ? [`${counted(sorted.length, 'request')}: too few for percentiles.`] : log ? ['The value axis is logarithmic: a few values are more than 40 times the median.'] : [],
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
