import type { Figure, JsonObject, NoFigure, PlotRun, PlotStyle, Statistics } from '@aiperf/core'
import { dashes } from '../dashes.js'
import { logTicks } from '../log-ticks.js'
import { axisTitle, sentence, thinNote } from '../measure.js'
import { asGrouping, defaultGrouping, estimate, pointsOf, type Point } from '../points.js'
import { counted, short } from '../rows.js'

const MOST_BARS = 10
const MOST_ROWS = 40
const COLORS = [0, 4, 1, 2, 3, 5, 6, 7]

/** One statistic at one point. */
type Row = { run: string; group: string; order: number | null; stat: string; v: number; low: number | null; high: number | null }

export interface PercentilesOptions {
  y: string
  stats: readonly (keyof Statistics)[]
  labels?: string | readonly string[] | undefined
}

/** Statistics of one metric by run: bars for a few runs, curves over the load for many, dots where there is no load. */
export function percentilesFigure(runs: readonly PlotRun[], options: PercentilesOptions, style: PlotStyle): Figure | NoFigure {
  const { y: tag, stats } = options
  const metric = runs.flatMap((run) => run.metrics.get(tag) ?? [])[0]
  if (!metric) return { absent: `no run has ${tag}` }
  const points = pointsOf(runs, asGrouping(undefined, options.labels))
  const values = rowsOf(points, tag, stats)
  if (values.length === 0) return { absent: `no run has ${stats.join(', ')} of ${tag}` }
  const title = axisTitle(metric)
  const count = new Set(values.map((v) => v.run)).size
  const color: JsonObject = { field: 'stat', type: 'nominal', title: null, sort: [...stats], scale: { domain: [...stats], range: stats.map((_, i) => style.series[COLORS[i % COLORS.length]!]!) } }
  const facts = { title, color, stats, labels: labelTitle(runs, options.labels) }
  const loads = points.every((point) => !Number.isNaN(point.order)) && facts.labels !== null
  const spec = count <= MOST_BARS ? bars(values, facts, style) : loads ? curves(values, facts) : dots(values, facts, style)
  return {
    spec,
    description: `${title} of ${counted(count, 'run')}: ${stats.join(', ')}.`,
    subtitle: counted(count, points.length === runs.length ? 'run' : 'point'),
    notes: [
      ...(values.some((row) => row.low !== null) ? ['Thin lines: 95 % confidence intervals, of the percentile itself or of the mean over repeated runs.'] : []),
      ...stats.flatMap((stat) => thinNote(stat, runs.flatMap((run) => run.metrics.get(tag) ?? []), stat)),
      ...(!loads && count > MOST_ROWS ? [`${MOST_ROWS} of ${count} runs.`] : []),
    ],
  }
}

interface Facts {
  title: string
  color: JsonObject
  stats: readonly string[]
  /** What the labels are. */
  labels: string | null
}

function rowsOf(points: readonly Point[], tag: string, stats: readonly (keyof Statistics)[]): Row[] {
  const several = new Set(points.map((p) => p.group)).size > 1
  const named = (point: Point): string => (several && point.group !== '' && point.group !== point.label ? `${point.label} · ${point.group}` : point.label)
  // What looks alike is told apart by its run: values of two points must not be put on one bar.
  const unique = (point: Point): string => (points.some((other) => other !== point && named(other) === named(point)) ? point.runs[0]!.label : named(point))
  return [...points].sort((a, b) => (a.order || 0) - (b.order || 0)).flatMap((point) =>
    stats.flatMap((stat): Row[] => {
      const found = estimate(point, { metric: tag, stat }, 0.95)
      if (!found) return []
      return [{
        run: unique(point), group: point.group, order: Number.isNaN(point.order) ? null : point.order, stat,
        v: short(found.mean), low: found.low === undefined ? null : short(Math.max(0, found.low)), high: found.high === undefined ? null : short(found.high),
      }]
    }),
  )
}

/** Room for intervals, but not so much that what was measured is flattened. */
function top(values: readonly Row[]): number {
  const most = Math.max(...values.map((row) => row.v))
  return short(Math.min(1.5 * most, Math.max(most, ...values.map((row) => row.high ?? 0))) || 1)
}

/** Rows of several groups name what they are themselves. */
const rowTitle = (values: readonly Row[], labels: string | null): string | null => (new Set(values.map((row) => row.group)).size > 1 ? null : labels)

const tooltip = (title: string): JsonObject[] => [{ field: 'run', title: 'Run' }, { field: 'stat', title: 'Statistic' }, { field: 'v', title, format: ',.4~r' }]

function bars(values: Row[], { title, color, stats, labels }: Facts, style: PlotStyle): Figure['spec'] {
  const rows = [...new Set(values.map((v) => v.run))]
  const across = rows.every((r) => r.length < 14)
  const category: JsonObject = { field: 'run', type: 'nominal', title: rowTitle(values, labels), sort: rows, axis: { labelAngle: 0, labelLimit: 260, ...(across ? {} : { labelPadding: 8, ticks: false, domain: false }) }, scale: rows.length < 3 ? { paddingInner: 0.5, paddingOuter: 0.4 } : { paddingInner: 0.25 } }
  const value: JsonObject = { field: 'v', type: 'quantitative', title, scale: { zero: true, nice: true, domainMax: top(values) } }
  const offset: JsonObject = { field: 'stat', sort: [...stats] }
  const [c, v, o] = across ? ['x', 'y', 'xOffset'] : ['y', 'x', 'yOffset']
  return {
    data: { values },
    layer: [
      { mark: { type: 'bar', opacity: 0.9, }, encoding: { [c!]: category, [v!]: value, [o!]: offset, color, tooltip: tooltip(title) } },
      { transform: [{ filter: 'datum.low !== null' }], mark: { type: 'rule', color: style.text, strokeWidth: 1.2, opacity: 0.8, clip: true }, encoding: { [c!]: category, [v!]: { ...value, field: 'low' }, [`${v}2`]: { field: 'high' }, [o!]: offset } },
    ],
  }
}

function curves(values: Row[], { title, color, labels }: Facts): Figure['spec'] {
  const groups = [...new Set(values.map((v) => v.group))]
  const orders = values.map((v) => v.order!)
  const log = Math.min(...orders) > 0 && Math.max(...orders) >= 30 * Math.min(...orders)
  const x: JsonObject = { field: 'order', type: 'quantitative', title: `${labels}${log ? ', logarithmic' : ''}`, scale: log ? { type: 'log', nice: false, padding: 12 } : { zero: true }, axis: log ? { values: logTicks(Math.min(...orders), Math.max(...orders)), format: ',~r' } : { tickCount: 8 } }
  const y: JsonObject = { field: 'v', type: 'quantitative', title, scale: { zero: true, nice: true, domainMax: top(values) } }
  const group: JsonObject = groups.length > 1 ? { strokeDash: { field: 'group', type: 'nominal', title: null, sort: groups, scale: { domain: groups, range: dashes(groups.length) } } } : {}
  return {
    data: { values },
    layer: [
      { mark: { type: 'line' }, encoding: { x, y, color, ...group } },
      { transform: [{ filter: 'datum.low !== null' }], mark: { type: 'rule', strokeWidth: 1, opacity: 0.6, clip: true }, encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color } },
      { mark: { type: 'point', size: 30 }, encoding: { x, y, color, tooltip: tooltip(title) } },
    ],
  }
}

function dots(values: Row[], { title, color, labels }: Facts, style: PlotStyle): Figure['spec'] {
  const rows = [...new Set(values.map((v) => v.run))].slice(0, MOST_ROWS)
  const shown = values.filter((v) => rows.includes(v.run))
  const y: JsonObject = { field: 'run', type: 'nominal', title: rowTitle(values, labels), sort: rows, axis: { labelLimit: 260, grid: true, labelOverlap: false, labelFontSize: rows.length > 25 ? 9 : 11 } }
  const x: JsonObject = { field: 'v', type: 'quantitative', title, scale: { zero: true } }
  return {
    data: { values: shown },
    layer: [
      { transform: [{ aggregate: [{ op: 'min', field: 'v', as: 'least' }, { op: 'max', field: 'v', as: 'most' }], groupby: ['run'] }], mark: { type: 'rule', color: style.muted, opacity: 0.5 }, encoding: { y, x: { ...x, field: 'least' }, x2: { field: 'most' } } },
      { mark: { type: 'point', size: 46 }, encoding: { y, x, color, tooltip: tooltip(title) } },
    ],
  }
}

/** The one fact that the labels state; nothing when they say it themselves. */
function labelTitle(runs: readonly PlotRun[], asked: string | readonly string[] | undefined): string | null {
  const { labels } = asked === undefined ? defaultGrouping(runs) : { labels: [asked].flat() }
  return labels.length === 1 && labels[0] !== 'run_name' && labels[0] !== 'model' ? sentence(labels[0]!.replaceAll('_', ' ').replace(/^\w/, (c) => c.toUpperCase())) : null
}
