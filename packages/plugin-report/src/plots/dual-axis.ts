import { definePlot, type JsonObject } from '@aiperf/core'
import { subtitleOf } from '../figure/run-data.js'
import { fromZero } from '../figure/specs/curve.js'
import { seriesOf, type Series } from '../figure/series-data.js'
import { runEnd, timeAxis } from '../figure/time-axis.js'
import type schema from './dual-axis.options.js'

/** Two curves over the run's time, each with its axis. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const table = await run!.requests([])
      if (!table) return { absent: 'only the summary of the run is there, no single requests' }
      const end = runEnd(table)
      const [left, right] = await Promise.all([seriesOf(run!, options.y, end, options), seriesOf(run!, options.y2, end, options)])
      if (!left || !right) return { absent: `the run has no ${[left ? '' : options.y, right ? '' : options.y2].filter(Boolean).join(' and no ')}` }
      const [first, second] = [style.series[0]!, style.series[1]!]
      return {
        spec: {
          layer: [
            { data: { values: right.rows }, mark: { type: 'area', interpolate: right.steps ? 'step-after' : 'linear', color: second, opacity: 0.2, line: { color: second, strokeWidth: 1.5, strokeDash: [6, 3] } }, encoding: { x: timeAxis('t', end), y: axis(right, second, 'right') } },
            { data: { values: left.rows }, mark: { type: 'line', interpolate: left.steps ? 'step-after' : 'linear', color: first, strokeWidth: 1.8 }, encoding: { x: timeAxis('t', end), y: axis(left, first, 'left') } },
          ],
          resolve: { scale: { y: 'independent' } },
        },
        description: `${left.title} and ${right.title} over time.`,
        subtitle: subtitleOf(run!, table),
        notes: options.y === 'output_token_rate' ? ['Solid: left axis; dashed and filled: right axis. Each request spreads its output tokens evenly from its first token to its end.'] : ['Solid: left axis; dashed and filled: right axis.'],
      }
    },
  }),
})

const axis = ({ title, percent, rows, whole }: Series, color: string, orient: 'left' | 'right'): JsonObject => ({
  field: 'v', type: 'quantitative', title, stack: null, scale: percent ? { domain: [0, 100] } : fromZero(rows),
  axis: { orient, titleColor: color, grid: orient === 'left', ...(whole ? { tickMinStep: 1 } : {}) },
})
