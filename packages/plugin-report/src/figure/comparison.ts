import type { JsonObject, NoFigure, PlotRun, PlotStyle } from '@aiperf/core'
import { POINT_LABEL } from './labels.js'
import { legendOf } from './legend.js'
import { axisTitle, measureOf, thinNote, type MeasureOption, type Measure } from './measure.js'
import { asGrouping, estimate, pointsOf, type Estimate, type Point } from './points.js'
import { counted, short } from './rows.js'

export interface ComparedOptions {
  x: MeasureOption
  y: MeasureOption
  labels?: string | readonly string[] | undefined
  groups?: string | readonly string[] | undefined
  autoscale: string
}

export interface Placed {
  point: Point
  x: Estimate
  y: Estimate
}

/** Everything a comparison of two measures needs. */
export interface Comparison {
  points: Placed[]
  groups: string[]
  axes: { x: Axis; y: Axis }
  notes: string[]
  subtitle: string
}

export interface Axis extends Measure {
  title: string
  larger: boolean
}

/** Metrics that stand in where a run lacks the wanted one. */
const INSTEAD: Record<string, string> = { output_token_throughput_per_gpu: 'output_token_throughput' }

/** Places the runs between two measures. */
export function compare(runs: readonly PlotRun[], options: ComparedOptions, level = 0.95): Comparison | NoFigure {
  const notes: string[] = []
  const x = axisOf(runs, options.x, notes)
  const y = axisOf(runs, options.y, notes)
  if ('absent' in x) return x
  if ('absent' in y) return y
  const points = pointsOf(runs, asGrouping(options.groups, options.labels))
  const placed = points.flatMap((point) => {
    const [ex, ey] = [estimate(point, x, level), estimate(point, y, level)]
    return ex && ey ? [{ point, x: ex, y: ey }] : []
  })
  if (placed.length === 0) return { absent: `no run has both ${x.metric} ${x.stat} and ${y.metric} ${y.stat}` }
  if (placed.length < points.length) notes.push(`${counted(points.length - placed.length, 'run')} without both values left out.`)
  const groups = [...new Set(placed.map(({ point }) => point.group))]
  if (groups.length > 8) notes.push(`${groups.length} groups share 8 colours; their symbols differ too.`)
  const models = [...new Set(placed.flatMap(({ point }) => point.runs.map((run) => String(run.facts['model'] ?? ''))))].filter(Boolean)
  const total = placed.reduce((n, { point }) => n + point.runs.length, 0)
  const subtitle = [models.length === 1 ? models[0] : undefined, total === placed.length ? counted(total, 'run') : `${counted(placed.length, 'point')}, ${counted(total, 'run')}`].filter(Boolean).join(' · ')
  return { points: placed, groups, axes: { x, y }, notes, subtitle }
}

function axisOf(runs: readonly PlotRun[], option: MeasureOption, notes: string[]): Axis | NoFigure {
  const exists = (tag: string): boolean => runs.some((run) => run.metrics.has(tag))
  const { metric: asked, stat, given } = measureOf(option, exists)
  let metric = asked
  const other = INSTEAD[metric]
  if (!exists(metric) && other !== undefined && exists(other)) {
    metric = other
    notes.push('No GPU telemetry: throughput in all, not per GPU.')
  }
  const results = runs.flatMap((run) => run.metrics.get(metric) ?? [])
  const [first] = results
  if (!first) return { absent: `no run has ${asked}` }
  const single = results.every((m) => m.p50 === undefined)
  // A metric of one value per run has its value as its mean, whatever statistic was asked for.
  if (!results.some((m) => m[stat] !== undefined) && !(single && results.some((m) => m.avg !== undefined))) return { absent: `no run has the statistic ${stat} of ${metric}` }
  notes.push(...thinNote(axisTitle(first, stat).replace(/ \(.*\)$/, ''), results, stat))
  const used = results.some((m) => m[stat] !== undefined) ? stat : 'avg'
  return { metric, stat: used, title: axisTitle(first, single ? undefined : given || used !== 'avg' ? used : 'avg'), larger: runs[0]!.largerIsBetter(metric) }
}

/** Encodings and layers that all comparisons share. */
export function comparisonLayers({ points, groups, axes }: Comparison, autoscale: string, style: PlotStyle, regions: readonly Record<'x' | 'y', number>[] = []): { x: JsonObject; y: JsonObject; group: JsonObject; dots: JsonObject[]; rows: JsonObject[] } {
  const fit = (axis: string): boolean => autoscale === axis || autoscale === 'both'
  const channel = (field: 'x' | 'y'): JsonObject => ({ field, type: 'quantitative', title: axes[field].title, scale: { nice: true, ...room(points.map((p) => p[field]), !fit(field), regions.map((vertex) => vertex[field])) } })
  const x = channel('x')
  const y = channel('y')
  const rows: JsonObject[] = points.map(({ point, x: ex, y: ey }) => ({
    x: short(ex.mean), y: short(ey.mean), label: point.label, group: point.group, order: Number.isNaN(point.order) ? null : point.order, runs: point.runs.length,
  }))
  const colors = groupColors(groups, points, style)
  const group: JsonObject = groups.length > 1
    ? {
        color: { field: 'group', type: 'nominal', title: null, sort: groups, scale: { domain: groups, range: colors }, legend: legendOf(groups) },
        shape: { field: 'group', type: 'nominal', title: null, sort: groups, scale: { domain: groups } },
      }
    : { color: { value: style.series[0]! } }
  const tooltip: JsonObject[] = [{ field: 'label', title: 'Point' }, ...(groups.length > 1 ? [{ field: 'group', title: 'Group' }] : []), { field: 'x', title: axes.x.title, format: ',.4~r' }, { field: 'y', title: axes.y.title, format: ',.4~r' }, { field: 'runs', title: 'Runs' }]
  return {
    x, y, group, rows,
    dots: [
      { data: { values: rows }, mark: { type: 'point', size: 80, strokeWidth: 1.5 }, encoding: { x, y, ...group, tooltip } },
      { data: { values: rows }, mark: { type: 'text', style: POINT_LABEL, fontSize: 11.5, color: style.text, stroke: style.background, strokeWidth: 3 }, encoding: { x, y, text: { field: 'label' } } },
    ],
  }
}

/** A range with room for points at its ends and their labels. Wide intervals and regions are cut: they must not flatten what was measured. */
function room(estimates: readonly Estimate[], zero: boolean, regions: readonly number[]): JsonObject {
  const values = estimates.flatMap(({ mean, values: single }) => [mean, ...single])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const from = zero && least >= 0 ? 0 : least
  const span = most - from || Math.abs(most) || 1
  const ends = [...regions, ...estimates.filter((e) => e.over > 1).flatMap(({ low, high }) => [low ?? most, high ?? most])]
  const top = Math.min(most + span / 2, Math.max(most, ...ends))
  const bottom = from === 0 && zero ? 0 : Math.max(least - span / 2, Math.min(least, ...ends))
  const margin = (top - bottom) * 0.07
  return { zero: false, domainMin: short(bottom === 0 && zero ? 0 : bottom - margin), domainMax: short(top + margin) }
}

/** Baselines are grey, treatments take the palette; without such names every group takes the palette in order. */
function groupColors(groups: readonly string[], points: readonly Placed[], style: PlotStyle): string[] {
  const baselines = new Set(points.filter(({ point }) => point.runs[0]!.facts['experiment_class'] === 'baseline').map(({ point }) => point.group))
  let next = 0
  return groups.map((group) => (baselines.has(group) ? style.baseline : style.series[(baselines.size > 0 ? next++ + 2 : next++) % style.series.length]!))
}

/** Bars from the low to the high end of intervals, both ways. */
export function intervalLayers({ points }: Comparison, x: JsonObject, y: JsonObject, group: JsonObject): JsonObject[] {
  const color = group['color'] as JsonObject
  const bars = (which: 'x' | 'y'): JsonObject[] =>
    points.flatMap(({ point, x: ex, y: ey }) => {
      const { low, high, over } = which === 'x' ? ex : ey
      return low === undefined || high === undefined || over < 2 ? [] : [{ x: short(ex.mean), y: short(ey.mean), low: short(low), high: short(high), group: point.group }]
    })
  const layer = (which: 'x' | 'y'): JsonObject[] => {
    const values = bars(which)
    if (values.length === 0) return []
    return [{ data: { values }, mark: { type: 'rule', strokeWidth: 1.5, opacity: 0.7, clip: true }, encoding: which === 'x' ? { x: { ...x, field: 'low' }, x2: { field: 'high' }, y, color } : { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color } }]
  }
  return [...layer('x'), ...layer('y')]
}

export const labelNote = (runs: readonly PlotRun[], options: ComparedOptions): string => {
  const asked = asGrouping(options.groups, options.labels).labels
  const load = ['concurrency', 'request_rate', 'users', 'prefill_concurrency'].filter((key) => new Set(runs.map((run) => run.facts[key])).size > 1)
  const keys = asked ?? load
  const shown = keys.filter((key) => runs.some((run) => run.facts[key] !== undefined))
  return shown.length === 1 ? `Numbers at the points: ${shown[0]!.replaceAll('_', ' ')}${shown[0] === 'request_rate' ? ' (requests/s)' : ''}.` : ''
}
