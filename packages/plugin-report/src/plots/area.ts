import { definePlot } from '@aiperf/core'
import { subtitleOf } from '../figure/run-data.js'
import { seriesOf } from '../figure/series-data.js'
import { runEnd, timeAxis } from '../figure/time-axis.js'
import type schema from './area.options.js'

/** One curve over the run's time, filled. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    async draw([run], style) {
      const table = await run!.requests([])
      const end = table ? runEnd(table) : Math.max(1, ...run!.slices.map((slice) => slice.endSeconds))
      const series = await seriesOf(run!, options.y, end, options)
      if (!series) return { absent: `the run has no curve ${options.y}` }
      return {
        spec: {
          data: { values: series.rows },
          mark: { type: 'area', interpolate: series.steps ? 'step-after' : 'linear', color: style.series[0]!, opacity: 0.25, line: { color: style.series[0]!, strokeWidth: 1.5 } },
          encoding: {
            x: timeAxis('t', end),
            y: { field: 'v', type: 'quantitative', title: series.title, scale: series.percent ? { domain: [0, 100] } : { zero: true, nice: true } },
            tooltip: [{ field: 't', title: 'Time (s)' }, { field: 'v', title: series.title, format: ',.4~r' }],
          },
        },
        description: `${series.title} over time.`,
        subtitle: subtitleOf(run!, table),
        notes: options.y === 'output_token_rate' ? ['Each request spreads its output tokens evenly from its first token to its end.'] : [],
      }
    },
  }),
})
