import { definePlot, type Figure, type JsonObject, type NoFigure, type PlotRun } from '@aiperf/core'
import { legendOf } from '../figure/legend.js'
import { logTicks } from '../figure/log-ticks.js'
import { axisTitle } from '../figure/measure.js'
import { quantile, sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf, type RequestData } from '../figure/run-data.js'
import { valueAxis } from '../figure/time-axis.js'
import type schema from './cdf.options.js'

const POINTS = 240
const MOST_CURVES = 8

/** Share of the requests that stay below each value: one curve per run. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw(runs, style) {
      const all = await Promise.all(runs.map(async (run) => ({ run, data: await requestData(run, options.y, style) })))
      const usable = all.flatMap(({ run, data }) => (isAbsent(data) || isFigure(data) ? [] : [{ run, data }]))
      const [first] = usable
      if (!first) return all[0]!.data as Figure | NoFigure
      const points = pooled(usable)
      const curves = points.length <= MOST_CURVES ? points : Array.from({ length: MOST_CURVES }, (_, i) => points[Math.round((i * (points.length - 1)) / (MOST_CURVES - 1))]!)
      const title = axisTitle(first.data.metric)
      const widest = Float64Array.from(curves.flatMap(({ sorted }) => Array.from({ length: 21 }, (_, i) => quantile(sorted, i / 20)))).sort()
      const { log } = valueAxis('v', title, widest)
      const values = curves.flatMap(({ label, sorted }) => stairs(sorted).map(({ v, share }) => ({ v: short(v), share: short(share), run: label })))
      const several = curves.length > 1
      const labels = curves.map(({ label }) => label)
      const x: JsonObject = { field: 'v', type: 'quantitative', title, scale: log ? { type: 'log', nice: true } : { zero: widest[0] === widest.at(-1), nice: true }, ...(log ? { axis: { values: logTicks(widest[0]!, widest.at(-1)!), format: ',~r' } } : {}) }
      return {
        spec: {
          layer: [
            { data: { values: [0.5, 0.9, 0.99].map((share) => ({ share })) }, mark: { type: 'rule', color: style.muted, opacity: 0.45, strokeDash: [3, 4] }, encoding: { y: { field: 'share', type: 'quantitative' } } },
            {
              data: { values },
              mark: { type: 'line', interpolate: 'step-after', ...(several ? {} : { color: style.series[0]! }) },
              encoding: {
                x,
                y: { field: 'share', type: 'quantitative', title: 'Share of requests at most this', scale: { domain: [0, 1] }, axis: { format: '.0%', values: [0, 0.25, 0.5, 0.75, 0.9, 0.99] } },
                ...(several ? { color: { field: 'run', type: 'nominal', title: null, sort: labels, scale: { domain: labels }, legend: legendOf(labels) }, strokeDash: { field: 'run', type: 'nominal', title: null, scale: { domain: labels, range: dashes(labels.length) } } } : {}),
                tooltip: [...(several ? [{ field: 'run', title: 'Run' }] : []), { field: 'v', title, format: ',.4~r' }, { field: 'share', title: 'Share', format: '.1%' }],
              },
            },
          ],
        },
        description: `Cumulative distribution of ${title} of ${counted(points.length, 'run')}.`,
        subtitle: several ? counted(usable.length, 'run') : subtitleOf(first.run, first.data.table),
        notes: [
          ...(log ? ['The value axis is logarithmic.'] : []),
          ...(curves.length < points.length ? [`${curves.length} of ${points.length} curves, evenly chosen.`] : []),
          ...(points.length < usable.length ? ['Repeated runs of a point are pooled.'] : []),
          ...(usable.length < runs.length ? [`${counted(runs.length - usable.length, 'run')} without values left out.`] : []),
          ...(curves.some(({ sorted }) => sorted.length < 20) ? ['A curve of fewer than 20 requests says little of its ends.'] : []),
        ],
      }
    },
  }),
})

/** The values of each point, repeated runs together. */
function pooled(runs: readonly { run: PlotRun; data: RequestData }[]): { label: string; sorted: Float64Array }[] {
  const points = new Map<string, { label: string; columns: Float64Array[] }>()
  for (const { run, data } of runs) {
    const known = points.get(run.point)
    if (known) known.columns.push(data.column)
    else points.set(run.point, { label: run.label.replace(/ #\d+$/, ''), columns: [data.column] })
  }
  return [...points.values()].map(({ label, columns }) => ({ label, sorted: sortedValues(columns.length === 1 ? columns[0]! : Float64Array.from(columns.flatMap((column) => [...column]))) }))
}

/** Steps up at each value; of many values, at even shares and at the outermost ones. */
function stairs(sorted: Float64Array): { v: number; share: number }[] {
  const n = sorted.length
  if (n <= POINTS) return [{ v: sorted[0]!, share: 0 }, ...Array.from(sorted, (v, i) => ({ v, share: (i + 1) / n }))]
  const tail = [0.991, 0.993, 0.995, 0.996, 0.997, 0.998, 0.999, 0.9995, 1]
  return [...Array.from({ length: POINTS - tail.length }, (_, i) => (i / (POINTS - tail.length)) * 0.99), ...tail].map((share) => ({ v: quantile(sorted, share), share }))
}

const PATTERNS = [[1, 0], [7, 3], [2, 3], [8, 3, 2, 3]]
export const dashes = (count: number): number[][] => Array.from({ length: count }, (_, i) => (count <= 4 ? PATTERNS[i]! : PATTERNS[Math.floor(i / 8) % 4]!))
