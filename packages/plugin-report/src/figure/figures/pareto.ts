import type { Figure, NoFigure, PlotRun, PlotStyle } from '@aiperf/core'
import { compare, type ComparedOptions, comparisonLayers, intervalLayers, labelNote } from '../comparison.js'
import { paretoFront } from '../pareto.js'
import { short } from '../rows.js'

/** One point per run between two measures; those that no other run of their group beats on both are joined. */
export function paretoFigure(runs: readonly PlotRun[], options: ComparedOptions, style: PlotStyle): Figure | NoFigure {
  const comparison = compare(runs, options)
  if ('absent' in comparison) return comparison
  const { axes, points, groups } = comparison
  const { x, y, group, dots, rows } = comparisonLayers(comparison, options.autoscale, style)
  const front = groups.flatMap((name) => {
    const own = points.filter(({ point }) => point.group === name)
    return paretoFront(own.map((p) => ({ x: p.x.mean, y: p.y.mean })), axes.x.larger, axes.y.larger).map((i) => ({ x: short(own[i]!.x.mean), y: short(own[i]!.y.mean), group: name }))
  })
  const better = (larger: boolean): string => (larger ? 'high' : 'low')
  return {
    spec: {
      layer: [
        ...intervalLayers(comparison, x, y, group),
        { data: { values: front }, mark: { type: 'line', strokeWidth: 2.2, opacity: 0.75 }, encoding: { x, y, color: group['color']!, order: { field: 'x', type: 'quantitative' } } },
        ...dots,
      ],
    },
    description: `${axes.y.title} against ${axes.x.title} of ${comparison.subtitle}, with the Pareto front.`,
    subtitle: `${comparison.subtitle} · better: ${better(axes.x.larger)} x, ${better(axes.y.larger)} y`,
    notes: [
      front.length === rows.length ? `Pareto front: ${rows.length === 1 ? 'the one point' : `all ${rows.length} points`}.` : `Pareto front${groups.length > 1 ? ' of each group' : ''}: ${front.length} of ${rows.length} points; each of the others is beaten by one of these.`,
      labelNote(runs, options), ...comparison.notes,
    ].filter(Boolean),
  }
}
