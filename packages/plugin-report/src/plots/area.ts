import { definePlot } from '@aiperf/core'
import { subtitleOf } from '../figure/run-data.js'
import { seriesOf } from '../figure/series-data.js'
import { curveSpec } from '../figure/specs/curve.js'
import { runEnd } from '../figure/time-axis.js'
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
        spec: curveSpec({ ...series, end }, style),
        description: `${series.title} over time.`,
        subtitle: subtitleOf(run!, table),
        notes: options.y === 'output_token_rate' ? ['Each request spreads its output tokens evenly from its first token to its end.'] : [],
      }
    },
  }),
})
