import { clock, count, decimal } from '../../format.js'
import { chart, rangeOf, sparkline } from '../chart.js'
import type { Glyphs } from '../glyphs.js'
import { left, right, spread, type Line } from '../line.js'
import { SAMPLE_MS, type LiveModel, type SeriesName } from '../model.js'

const LATENCIES = [
  ['ttft', 'TTFT'],
  ['itl', 'ITL'],
  ['latency', 'latency'],
  ['lag', 'lag'],
] as const
const CHARTS = [
  ['ttft', 'TTFT, median of half a second, ms'],
  ['latency', 'latency, median of half a second, ms'],
  ['tokens', 'output tokens per second'],
  ['itl', 'ITL, median of half a second, ms'],
  ['rate', 'requests per second'],
  ['inFlight', 'requests in flight'],
] as const
const NAME = 9
const CELL = 9
const RANGE = 16
/** Least rows of a chart, besides the blank above it, its title and its time axis. */
const CHART_ROWS = 4

/** Percentiles of what ended, with the course of the last seconds; charts of the whole phase when there is room. */
export function metricsView(model: LiveModel, width: number, height: number, g: Glyphs): Line[] {
  const s = model.snapshot
  if (!s || s.stage === 'preparing') return [[['no request has ended yet', 'dim']]]
  const beside = width - NAME - 3 * CELL
  const range = rangeWidth(beside)
  const course = (name: SeriesName): Line => courseOf(model.series(name), beside, g)
  const lines: Line[] = [[[left('ms', NAME), 'dim'], ...['p50', 'p90', 'p99'].map((h) => [right(h, CELL), 'dim'] as const), [right(range > 0 ? 'range' : '', range), 'dim'], ['   last seconds', 'dim']]]
  for (const [name, title] of LATENCIES) {
    const p = s.latency[name]
    if (p) lines.push([[left(title, NAME)], [right(decimal(p.p50), CELL), 'strong'], [right(decimal(p.p90), CELL)], [right(decimal(p.p99), CELL)], ...course(name)])
  }
  const flow = (title: string, value: string, unit: string, name: SeriesName): Line => [[left(title, NAME)], [right(value, CELL), 'strong'], [left(` ${unit}`, 2 * CELL), 'dim'], ...course(name)]
  lines.push(flow('output', decimal(s.outputTokensPerSecond), 'tokens/s', 'tokens'), flow('requests', decimal(s.achievedPerSecond), 'per second', 'rate'), flow('in flight', count(s.inFlight), 'requests', 'inFlight'))
  return [...lines, ...charts(model, width, height - lines.length, g)].slice(0, height)
}

const rangeWidth = (width: number): number => (width >= RANGE + 18 ? RANGE : 0)

/** The least and the largest value of the last seconds where there is room for them, and the course between. */
function courseOf(values: readonly number[], width: number, g: Glyphs): Line {
  const range = rangeWidth(width)
  const room = width - range - 3
  const shown = values.slice(-Math.max(1, room))
  const ends = range > 0 && shown.length > 0 ? `${short(Math.min(...shown))} – ${short(Math.max(...shown))}` : ''
  return [[right(ends, range), 'dim'], ['   '], [sparkline(values, room, g), 'accent']]
}

function charts(model: LiveModel, width: number, height: number, g: Glyphs): Line[] {
  const known = CHARTS.filter(([name]) => model.series(name).length > 1)
  const fitting = known.slice(0, Math.floor(height / (CHART_ROWS + 3)))
  const rows = Math.max(CHART_ROWS, Math.floor(height / Math.max(1, fitting.length)) - 3)
  return fitting.flatMap(([name, title]): Line[] => [[], [[' '.repeat(CELL + 2)], [title, 'dim']], ...chartOf(model.series(name), width, rows + 1, g)])
}

const short = (n: number): string => (Number.isInteger(n) ? count(n) : decimal(n))

/** The course of the whole phase, with its axes, in `height` rows. */
export function chartOf(values: readonly number[], width: number, height: number, g: Glyphs): Line[] {
  if (values.length < 2 || height < 3) return []
  const { low, high } = rangeOf(values)
  const rows = height - 1
  const axis = (row: number) => right(row === 0 ? decimal(high) : row === rows - 1 ? decimal(low) : '', CELL)
  const plot = chart(values, width - CELL - 2, rows, g).map((cells, row): Line => [[axis(row), 'dim'], [' '], [g.vertical, 'frame'], [cells, 'accent']])
  return [...plot, [[' '.repeat(CELL + 2)], ...spread([[`-${clock((values.length * SAMPLE_MS) / 1000)}`, 'dim']], [['now', 'dim']], width - CELL - 2)]]
}
