import { definePlot, type Figure, type NoFigure, type PlotRun } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { quantile, sortedValues } from '../figure/quantiles.js'
import { counted } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf, type RequestData } from '../figure/run-data.js'
import { cdfSpec } from '../figure/specs/distribution.js'
import { stairs } from '../figure/stairs.js'
import { valueAxis } from '../figure/time-axis.js'
import type schema from './cdf.options.js'

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
      return {
        spec: cdfSpec(curves.map(({ label, sorted }) => ({ label, points: stairs(sorted) })), { title, log }, style),
        description: `Cumulative distribution of ${title} of ${counted(points.length, 'run')}.`,
        subtitle: curves.length > 1 ? counted(usable.length, 'run') : subtitleOf(first.run, first.data.table),
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
