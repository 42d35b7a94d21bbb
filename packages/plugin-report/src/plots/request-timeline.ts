import { definePlot } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf } from '../figure/run-data.js'
import { LOG_NOTE, runEnd, timeAxis, valueAxis } from '../figure/time-axis.js'
import { thin } from '../figure/thin.js'
import type schema from './request-timeline.options.js'

const MOST_REQUESTS = 1200

/** Each request as a bar from its start to its end, in two parts: until the first token, and after it. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const data = await requestData(run!, 'time_to_first_token', style)
      if (isAbsent(data) || isFigure(data)) return data
      const { table, column: ttft, count } = data
      const numbered = options.y === 'request_number'
      const heights = numbered ? Float64Array.from(ttft, (v, i) => (Number.isNaN(v) ? v : i)) : (await run!.requests([options.y]))?.values(options.y)
      if (!heights) return { absent: `the run has no ${options.y}` }
      const { indexes, left } = thin(heights, MOST_REQUESTS)
      const title = numbered ? 'Request, in order of start' : axisTitle(run!.metrics.get(options.y) ?? { header: options.y, unit: '' })
      const names = ['until the first token (prefill)', 'first token to end (decode)']
      const values = indexes.filter((i) => !Number.isNaN(ttft[i]!)).flatMap((i) => {
        const start = table.startSeconds[i]!
        const first = start + ttft[i]! / 1000
        const y = short(heights[i]!)
        return [{ a: short(start), b: short(first), y, part: names[0]!, n: i }, { a: short(first), b: short(Math.max(first, table.endSeconds[i]!)), y, part: names[1]!, n: i }]
      })
      const { y, log } = numbered ? { y: { field: 'y', type: 'quantitative' as const, title, scale: { zero: true, nice: true, reverse: true }, axis: { tickMinStep: 1 } }, log: false } : valueAxis('y', title, sortedValues(heights))
      const thickness = Math.max(1, Math.min(numbered ? 9 : 4, 380 / Math.max(1, indexes.length)))
      return {
        spec: {
          data: { values },
          mark: { type: 'rule', strokeWidth: thickness, strokeCap: 'butt', opacity: indexes.length > 300 ? 0.6 : 0.85 },
          encoding: {
            x: { ...timeAxis('a', runEnd(table)), title: 'Time since the first request (s)' },
            x2: { field: 'b' },
            y,
            color: { field: 'part', type: 'nominal', title: null, scale: { domain: names, range: [style.series[4]!, style.series[0]!] }, legend: { symbolType: 'stroke', symbolStrokeWidth: 4 } },
            tooltip: [{ field: 'n', title: 'Request' }, { field: 'part', title: 'Part' }, { field: 'a', title: 'From (s)' }, { field: 'b', title: 'To (s)' }],
          },
        },
        description: `Start, first token and end of ${counted(count, 'request')}.`,
        subtitle: subtitleOf(run!, table),
        notes: [...(left > 0 ? [`${counted(indexes.length, 'request')} of ${count.toLocaleString('en-US')}: the largest, and an even choice of the others.`] : []), ...(log ? [LOG_NOTE] : [])],
      }
    },
  }),
})
