import { definePlot, type JsonObject, type MetricResult, type Statistics } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { counted, short } from '../figure/rows.js'
import { subtitleOf, whyAbsent } from '../figure/run-data.js'
import type schema from './timeslice.options.js'

/** A metric per time slice, with the spread within each, the run's own mean and spread, and slices that stick out. */
export default definePlot<typeof schema>({
  create: ({ options: { y: tag, stat } }) => ({
    draw: ([run], style) => {
      if (run!.slices.length === 0) return { absent: 'the run has no time slices (--slice-duration)' }
      const whole = run!.metrics.get(tag)
      const slices = run!.slices.flatMap((slice) => {
        const metric = slice.metrics.get(tag)
        const value = metric?.[stat]
        return value === undefined ? [] : [{ slice, metric: metric!, value }]
      })
      if (!whole || slices.length === 0) return { absent: whyAbsent(run!, tag) }
      const larger = run!.largerIsBetter(tag)
      const spread = stat === 'avg' ? whole.std : undefined
      const values = slices.map(({ slice, metric, value }) => {
        const std = stat === 'avg' ? metric.std : undefined
        return {
          from: short(slice.startSeconds), to: short(slice.endSeconds), middle: short((slice.startSeconds + slice.endSeconds) / 2),
          v: short(value), low: short(Math.max(0, value - (std ?? 0))), high: short(value + (std ?? 0)),
          n: metric.count ?? null, complete: slice.complete,
          out: outlies(value, std, whole, spread, larger),
        }
      })
      const title = axisTitle(whole, whole.kind === 'record' || whole.kind === 'curve' ? stat : undefined)
      const y: JsonObject = { field: 'v', type: 'quantitative', title, scale: { zero: true, nice: true } }
      const end = Math.max(...values.map((v) => v.to))
      const x: JsonObject = { field: 'middle', type: 'quantitative', title: 'Time since the start of the phase (s)', scale: { domain: [0, end], nice: false } }
      const out = values.filter((v) => v.out).length
      const partial = values.some((v) => !v.complete)
      const mean = whole[stat]
      return {
        spec: {
          data: { values },
          layer: [
            ...(mean === undefined ? [] : reference(mean, spread, style.muted)),
            ...(spread === undefined || values.length > 60 ? [] : [{ mark: { type: 'rule' as const, color: style.series[0]!, opacity: 0.5, strokeWidth: 1.5 }, encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } } }]),
            { mark: { type: 'line', color: style.series[0]!, opacity: values.length > 60 ? 1 : 0.45, strokeWidth: 1.5 }, encoding: { x, y } },
            {
              mark: { type: 'point', size: values.length > 60 ? 20 : 60 },
              encoding: {
                x, y,
                color: { condition: { test: 'datum.out', value: style.bad }, value: style.series[0]! },
                shape: { condition: { test: 'datum.out', value: 'diamond' }, value: 'circle' },
                opacity: { condition: { test: '!datum.complete', value: 0.45 }, value: 1 },
                tooltip: [{ field: 'from', title: 'From (s)' }, { field: 'to', title: 'To (s)' }, { field: 'v', title, format: ',.4~r' }, { field: 'n', title: 'Values' }],
              },
            },
          ],
        },
        description: `${title} in ${counted(slices.length, 'slice')}.`,
        subtitle: [subtitleOf(run!), `${counted(slices.length, 'slice')} of ${short(values[0]!.to - values[0]!.from)} s`].filter(Boolean).join(' · '),
        notes: [
          ...(spread === undefined ? [] : [`Bars: standard deviation within the slice. Grey: ${stat === 'avg' ? 'mean' : stat} of the whole run, plus and minus its standard deviation.`]),
          ...(out > 0 ? [`Red diamonds: ${counted(out, 'slice')} beyond the run's mean by more than both deviations together.`] : []),
          ...(partial ? ['Pale: a slice that the run did not fill.'] : []),
          ...(tag.includes('throughput') ? lengthsVary(run!.metrics) : []),
        ],
      }
    },
  }),
})

/** Beyond mean and both spreads together, on the bad side. */
function outlies(value: number, std: number | undefined, whole: Statistics, spread: number | undefined, larger: boolean): boolean {
  if (spread === undefined || whole.avg === undefined) return false
  const distance = spread + (std ?? 0)
  return larger ? value < whole.avg - distance : value > whole.avg + distance
}

const reference = (mean: number, spread: number | undefined, color: string): JsonObject[] => [
  ...(spread === undefined ? [] : [{ data: { values: [{ low: short(Math.max(0, mean - spread)), high: short(mean + spread) }] }, mark: { type: 'rect' as const, color, opacity: 0.13 }, encoding: { y: { field: 'low', type: 'quantitative' as const }, y2: { field: 'high' } } }]),
  { data: { values: [{ mean: short(mean) }] }, mark: { type: 'rule', color, strokeDash: [5, 4] }, encoding: { y: { field: 'mean', type: 'quantitative' } } },
]

function lengthsVary(metrics: ReadonlyMap<string, MetricResult>): string[] {
  const varying = (['input_sequence_length', 'output_sequence_length'] as const).filter((tag) => (metrics.get(tag)?.std ?? 0) > 0.01 * (metrics.get(tag)?.avg ?? 1))
  return varying.length === 0 ? [] : [`${varying.map((tag) => (tag.startsWith('input') ? 'Input' : 'Output')).join(' and ').replace('Input and Output', 'Input and output')} lengths differ between requests, and throughput with them.`]
}
