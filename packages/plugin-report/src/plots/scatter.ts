import { definePlot } from '@aiperf/core'
import { readable } from '@aiperf/core/numbers'
import { emptyFigure } from '../figure/empty.js'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { requestAxis } from '../figure/request-axis.js'
import { counted } from '../figure/rows.js'
import { failedStarts, isAbsent, isFigure, requestData, subtitleOf, whyAbsent } from '../figure/run-data.js'
import { pointsSpec } from '../figure/specs/points.js'
import { failureTicks, LOG_NOTE, runEnd } from '../figure/time-axis.js'
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
      const { indexes, left } = thin(column, MOST_POINTS)
      const failed = options.x === 'time' ? failureTicks(failedStarts(table), style, runEnd(table)) : { layers: [], notes: [] }
      const points = indexes.map((i) => ({ x: axis.at(i), y: column[i]!, n: i })).filter(({ x }) => !Number.isNaN(x))
      if (points.length > 1 && points.every(({ x }) => x === points[0]!.x)) return emptyFigure(`${axis.title} is ${readable(points[0]!.x)} for every request`, style, subtitleOf(run!, table))
      const { spec, log } = pointsSpec({ points, x: axis.x, xTitle: axis.title, title, sorted: sortedValues(column), fit: ['y', 'both'].includes(options.autoscale) }, style)
      return {
        spec: { layer: [spec, ...failed.layers] },
        description: `${title} of ${counted(count, 'request')} against ${axis.title}.`,
        subtitle: subtitleOf(run!, table),
        notes: [...(left > 0 ? [`${counted(indexes.length, 'point')} of ${count.toLocaleString('en-US')}: the largest, and an even choice of the others.`] : []), ...(log ? [LOG_NOTE] : []), ...failed.notes],
      }
    },
  }),
})
