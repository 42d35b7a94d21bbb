import { definePlot } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { requestAxis } from '../figure/request-axis.js'
import { rolling } from '../figure/rolling.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf } from '../figure/run-data.js'
import { LOG_NOTE, valueAxis } from '../figure/time-axis.js'
import { thin } from '../figure/thin.js'
import type schema from './scatter-with-percentiles.options.js'

const MOST = 2000
const QUANTILES = [['p50', 0.5, 0, []], ['p95', 0.95, 4, [6, 3]], ['p99', 0.99, 1, [2, 3]]] as const

/** One point per request, and percentiles of the last few. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const data = await requestData(run!, options.y, style)
      if (isAbsent(data) || isFigure(data)) return data
      const fit = (axis: string): boolean => [axis, 'both'].includes(options.autoscale)
      const found = await requestAxis(run!, options.x, fit('x'))
      if (!found) return { absent: `x must be time or request_number, got ${options.x}` }
      const { axis } = found
      const { table, column, metric, count } = data
      const present = Array.from(column, (_, i) => i).filter((i) => !Number.isNaN(column[i]!))
      const values = Float64Array.from(present, (i) => column[i]!)
      const window = Math.min(options.window, values.length)
      const curves = rolling(values, window, QUANTILES.map(([, q]) => q))
      const { indexes, left } = thin(values, MOST)
      const title = axisTitle(metric)
      const { y, log } = valueAxis('y', title, sortedValues(column), fit('y'))
      const at = (k: number): number => short(axis.at(present[k]!))
      const names = QUANTILES.map(([name]) => name)
      return {
        spec: {
          layer: [
            { data: { values: indexes.map((k) => ({ x: at(k), y: short(values[k]!) })) }, mark: { type: 'point', color: style.muted, size: indexes.length > 800 ? 10 : 22, opacity: 0.4 }, encoding: { x: axis.x, y } },
            {
              data: { values: indexes.flatMap((k) => QUANTILES.map(([name], q) => ({ x: at(k), y: short(curves[q]![k]!), line: name }))) },
              mark: { type: 'line', strokeWidth: indexes.length > 400 ? 1.3 : 2 },
              encoding: {
                x: axis.x, y,
                color: { field: 'line', type: 'nominal', title: null, scale: { domain: names, range: QUANTILES.map(([, , color]) => style.series[color]!) } },
                strokeDash: { field: 'line', type: 'nominal', title: null, scale: { domain: names, range: QUANTILES.map(([, , , dash]) => [...dash]) } },
              },
            },
          ],
        },
        description: `${title} of ${counted(count, 'request')} with rolling percentiles.`,
        subtitle: subtitleOf(run!, table),
        notes: [`Lines: percentiles of the last ${window} requests at each request${window < 100 ? '; of so few, p95 and p99 lie close to the largest' : ''}.`, ...(left > 0 ? [`Drawn at ${counted(indexes.length, 'request')} of ${count.toLocaleString('en-US')}.`] : []), ...(log ? [LOG_NOTE] : [])],
      }
    },
  }),
})
