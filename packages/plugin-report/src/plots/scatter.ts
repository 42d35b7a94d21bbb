import { definePlot } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { requestAxis } from '../figure/request-axis.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf, whyAbsent } from '../figure/run-data.js'
import { failureTicks, LOG_NOTE, runEnd, valueAxis } from '../figure/time-axis.js'
import { thin } from '../figure/thin.js'
import type schema from './scatter.options.js'

const MOST_POINTS = 2500

/** One point per request. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const data = await requestData(run!, options.y, style)
      if (isAbsent(data) || isFigure(data)) return data
      const found = await requestAxis(run!, options.x, ['x', 'both'].includes(options.autoscale))
      if (!found) return { absent: whyAbsent(run!, options.x) }
      const { table, column, metric, count } = data
      const { axis } = found
      const title = axisTitle(metric)
      const { y, log } = valueAxis('y', title, sortedValues(column), ['y', 'both'].includes(options.autoscale))
      const { indexes, left } = thin(column, MOST_POINTS)
      const failed = options.x === 'time' ? failureTicks(table, style, runEnd(table)) : { layers: [], notes: [] }
      const points = indexes.map((i) => ({ x: short(axis.at(i)), y: short(column[i]!), n: i })).filter(({ x }) => !Number.isNaN(x))
      return {
        spec: {
          layer: [
            {
              data: { values: points },
              mark: { type: 'point', color: style.series[0]!, size: points.length > 800 ? 14 : points.length > 150 ? 26 : 50, opacity: points.length > 800 ? 0.45 : 0.7 },
              encoding: { x: axis.x, y, tooltip: [{ field: 'n', title: 'Request' }, { field: 'x', title: axis.title, format: ',.4~r' }, { field: 'y', title, format: ',.4~r' }] },
            },
            ...failed.layers,
          ],
        },
        description: `${title} of ${counted(count, 'request')} against ${axis.title}.`,
        subtitle: subtitleOf(run!, table),
        notes: [...(left > 0 ? [`${counted(indexes.length, 'point')} of ${count.toLocaleString('en-US')}: the largest, and an even choice of the others.`] : []), ...(log ? [LOG_NOTE] : []), ...failed.notes],
      }
    },
  }),
})
