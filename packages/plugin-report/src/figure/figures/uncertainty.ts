import type { Figure, NoFigure, PlotRun, PlotStyle } from '@aiperf/core'
import { compare, type ComparedOptions, comparisonLayers, intervalLayers, labelNote } from '../comparison.js'
import { meanEllipse } from '../ellipse.js'
import { short } from '../rows.js'

/** Means of repeated runs between two measures, with what their scatter leaves uncertain. */
export function uncertaintyFigure(runs: readonly PlotRun[], options: ComparedOptions & { ciLevel: number }, style: PlotStyle): Figure | NoFigure {
  const comparison = compare(runs, options, options.ciLevel)
  if ('absent' in comparison) return comparison
  const regions = comparison.points.flatMap(({ point, x: ex, y: ey }, i) => (meanEllipse(ex.values, ey.values, options.ciLevel) ?? []).map((vertex, k) => ({ x: short(vertex.x), y: short(vertex.y), k, id: i, group: point.group })))
  const { x, y, group, dots, rows } = comparisonLayers(comparison, options.autoscale, style, regions)
  const single = comparison.points.flatMap(({ point, x: ex, y: ey }) => (ex.values.length > 1 && ex.values.length === ey.values.length ? ex.values.map((value, k) => ({ x: short(value), y: short(ey.values[k]!), group: point.group })) : []))
  const color = group['color']!
  const percent = `${Number((options.ciLevel * 100).toFixed(1))} %`
  const most = Math.max(...comparison.points.map(({ x: ex }) => ex.over))
  return {
    spec: {
      layer: [
        ...(regions.length > 0 ? [{ data: { values: regions }, mark: { type: 'line' as const, filled: true, fillOpacity: 0.15, strokeWidth: 1.2, clip: true }, encoding: { x, y, order: { field: 'k' }, detail: { field: 'id' }, stroke: color, fill: color } }] : []),
        ...(regions.length > 0 ? [] : intervalLayers(comparison, x, y, group)),
        ...(single.length > 0 ? [{ data: { values: single }, mark: { type: 'point' as const, size: 16, opacity: 0.5 }, encoding: { x, y, color } }] : []),
        ...(new Set(rows.map((row) => row['order'])).size > 1 ? [{ data: { values: rows }, mark: { type: 'line' as const, opacity: 0.4, strokeWidth: 1.5 }, encoding: { x, y, color, order: { field: 'order', type: 'quantitative' as const }, detail: { field: 'group' } } }] : []),
        ...dots,
      ],
    },
    description: `${comparison.axes.y.title} against ${comparison.axes.x.title} of ${comparison.subtitle}, with ${percent} regions.`,
    subtitle: comparison.subtitle,
    notes: [
      most < 2 ? 'Each point was run once: nothing is known of how much results vary between runs.' : regions.length > 0 ? `Large points: means; small ones: single runs; ellipses: joint ${percent} confidence regions of both means.` : `Large points: means${single.length > 0 ? '; small ones: single runs' : ''}; bars: ${percent} confidence intervals. An ellipse needs four runs.`,
      labelNote(runs, options), ...comparison.notes,
    ].filter(Boolean),
  }
}
