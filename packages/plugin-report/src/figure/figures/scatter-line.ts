import type { Figure, NoFigure, PlotRun, PlotStyle } from '@aiperf/core'
import { compare, type ComparedOptions, comparisonLayers, intervalLayers, labelNote } from '../comparison.js'

/** One point per run between two measures, joined in order of load. */
export function scatterLineFigure(runs: readonly PlotRun[], options: ComparedOptions, style: PlotStyle): Figure | NoFigure {
  const comparison = compare(runs, options)
  if ('absent' in comparison) return comparison
  const { x, y, group, dots, rows } = comparisonLayers(comparison, options.autoscale, style)
  const ordered = new Set(rows.map((row) => row['order'])).size > 1
  return {
    spec: {
      layer: [
        ...intervalLayers(comparison, x, y, group),
        ...(ordered ? [{ data: { values: rows }, mark: { type: 'line' as const, opacity: 0.6, strokeWidth: 1.8 }, encoding: { x, y, color: group['color']!, order: { field: 'order', type: 'quantitative' as const }, detail: { field: 'group' } } }] : []),
        ...dots,
      ],
    },
    description: `${comparison.axes.y.title} against ${comparison.axes.x.title} of ${comparison.subtitle}.`,
    subtitle: comparison.subtitle,
    notes: [labelNote(runs, options), ...(rows.some((row) => Number(row['runs']) > 1) ? ['Points: means over the runs of a point; bars: 95 % confidence intervals.'] : []), ...comparison.notes].filter(Boolean),
  }
}
