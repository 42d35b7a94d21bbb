import type { Figure, JsonObject, PlotStyle, RequestTable } from '@aiperf/core'
import { averaged, type StepCurve } from '../figure/curves.js'
import { counted, short } from '../figure/rows.js'
import type { Lanes } from './lanes.js'

export interface Targets {
  /** Sessions that were to be under way at a time. */
  concurrency?: number
  /** End of the ramp-up, s. */
  rampSeconds?: number
}

/** Bars narrower than this share of the picture are laid together with their neighbours. */
const NARROW = 1 / 1600
const CURVE_BINS = 400
const MOST_TICKS = 2000

/** Sessions as lanes, their requests as bars. */
export function lanesFigure(lanes: Lanes, table: RequestTable, targets: Targets, style: PlotStyle): Figure {
  const { end, rows } = lanes
  const ttft = table.values('time_to_first_token')
  const bars = merged(lanes, ttft, end * NARROW)
  // A session of one turn never waits.
  const gaps = lanes.sessions.filter(({ turns, start, end: last }) => turns > 1 && last - start > end * NARROW).map(({ lane, start, end: last }) => ({ a: short(start), b: short(last), y: lanes.lanes[lane]!.row, y2: lanes.lanes[lane]!.row + lanes.lanes[lane]!.rows }))
  const parts = ['until the first token (prefill)', 'first token to end (decode)', 'session waits']
  const colors = [style.series[4]!, style.series[0]!, style.theme === 'light' ? '#c9d8e6' : '#33475a']
  const seen = new Set<number>()
  const reuse = lanes.sessions.flatMap(({ lane, start }) => (seen.has(lane) ? [{ t: short(start), y: lanes.lanes[lane]!.row, y2: lanes.lanes[lane]!.row + lanes.lanes[lane]!.rows }] : (seen.add(lane), [])))
  const height = rows > 0 ? Math.min(0.42, 0.5 - 0.08) : 0.4
  const y = (field: string): JsonObject => ({ field, type: 'quantitative', title: 'Lane', scale: { domain: [rows, 0], nice: false }, axis: { tickMinStep: 1, minExtent: 44, maxExtent: 44, tickCount: 6, grid: false } })
  const x = axisX(end, null)
  const color: JsonObject = { field: 'part', type: 'nominal', title: null, scale: { domain: parts, range: colors }, legend: { symbolType: 'square' } }
  return {
    spec: {
      layer: [
        { data: { values: [{ a: 0, b: short(end), y: 0, y2: rows }] }, mark: { type: 'rect', color: style.muted, opacity: 0.07 }, encoding: { x: { ...x, field: 'a' }, x2: { field: 'b' }, y: y('y'), y2: { field: 'y2' } } },
        { data: { values: gaps.map((gap) => ({ ...gap, part: parts[2]! })) }, mark: { type: 'rect', opacity: 0.8 }, encoding: { x: { ...x, field: 'a' }, x2: { field: 'b' }, y: y('y'), y2: { field: 'y2' }, color } },
        { data: { values: bars.map((bar) => ({ a: short(bar.start), b: short(bar.end), y: bar.row + 0.5 - height, y2: bar.row + 0.5 + height, part: parts[bar.decode ? 1 : 0]! })) }, mark: { type: 'rect' }, encoding: { x: { ...x, field: 'a' }, x2: { field: 'b' }, y: y('y'), y2: { field: 'y2' }, color } },
        { data: { values: reuse.length <= MOST_TICKS ? reuse : [] }, mark: { type: 'rule', color: style.text, strokeWidth: 1.2 }, encoding: { x: { ...x, field: 't' }, y: y('y'), y2: { field: 'y2' } } },
        ...borders(targets, end, style),
      ],
    },
    description: `${counted(lanes.sessions.length, 'session')} in ${counted(lanes.lanes.length, 'lane')}.`,
    subtitle: `${counted(lanes.sessions.length, 'session')}, ${counted(lanes.bars.length, 'request')} in ${counted(lanes.lanes.length, 'lane')}${lanes.dropped > 0 ? `; ${counted(lanes.dropped, 'cancelled request')} left out` : ''}`,
  }
}

/** What was under way over the same time. */
export function activityFigure(lanes: Lanes, targets: Targets, style: PlotStyle): Figure {
  const { end } = lanes
  const idle = difference(lanes.alive, lanes.active)
  const curves = [['requests under way', lanes.requests], ['sessions that wait', idle]] as const
  const names = [...curves.map(([name]) => name), 'lanes', ...(targets.concurrency === undefined ? [] : ['target'])]
  const flat = (name: string, value: number): JsonObject[] => [{ t: 0, v: value, line: name }, { t: short(end), v: value, line: name }]
  const values: JsonObject[] = [
    ...curves.flatMap(([name, curve]) => rowsOf(curve, end).map((row) => ({ ...row, line: name }))),
    ...flat('lanes', lanes.lanes.length),
    ...(targets.concurrency === undefined ? [] : flat('target', targets.concurrency)),
  ]
  return {
    spec: {
      layer: [
        {
          data: { values },
          mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.6 },
          encoding: {
            x: axisX(end, 'Time since the first request (s)', 't'),
            y: { field: 'v', type: 'quantitative', title: 'Count', scale: { zero: true, nice: true }, axis: { minExtent: 44, maxExtent: 44, tickCount: 4 } },
            color: { field: 'line', type: 'nominal', title: null, sort: names, scale: { domain: names, range: [style.series[0]!, style.series[4]!, style.series[2]!, style.series[1]!] } },
            strokeDash: { field: 'line', type: 'nominal', title: null, scale: { domain: names, range: [[1, 0], [6, 3], [2, 3], [8, 3, 2, 3]] } },
          },
        },
        ...borders(targets, end, style),
      ],
    },
    description: 'Requests under way, waiting sessions and lanes over time.',
    notes: [...(lanes.sessions.length - lanes.lanes.length <= MOST_TICKS ? ['Black ticks: a lane is taken over by another session.'] : []), ...(targets.rampSeconds === undefined ? [] : ['Dashed line: the end of the ramp-up.'])],
  }
}

const axisX = (end: number, title: string | null, field = 't'): JsonObject => ({ field, type: 'quantitative', title, scale: { domain: [0, end || 1], nice: false }, axis: title === null ? { labels: false, ticks: false, title: null } : {} })

function borders({ rampSeconds }: Targets, end: number, style: PlotStyle): JsonObject[] {
  if (rampSeconds === undefined || rampSeconds > end) return []
  return [{ data: { values: [{ t: rampSeconds }] }, mark: { type: 'rule', color: style.text, strokeDash: [5, 4] }, encoding: { x: { field: 't', type: 'quantitative' } } }]
}

interface Drawn {
  start: number
  end: number
  row: number
  decode: boolean
  /** Of what was laid together: time until first tokens, and all of it. */
  prefill: number
  all: number
}

/** Bars in two parts; those too narrow to be seen alone are one bar with their neighbours, of the colour of the larger part. */
function merged({ bars }: Lanes, ttft: Float64Array | undefined, narrow: number): Drawn[] {
  const out: Drawn[] = []
  const last = new Map<number, Drawn>()
  for (const { request, start, end, row } of bars.toSorted((a, b) => a.row - b.row || a.start - b.start)) {
    const first = ttft?.[request]
    const split = first === undefined || Number.isNaN(first) ? end : Math.min(end, start + first / 1000)
    if (end - start < narrow) {
      const before = last.get(row)
      if (before && start - before.end < narrow && before.end - before.start < 12 * narrow) {
        before.end = Math.max(before.end, end)
        before.prefill += split - start
        before.all += end - start
        before.decode = before.prefill < before.all / 2
        continue
      }
      const bar: Drawn = { start, end, row, prefill: split - start, all: end - start, decode: split - start < (end - start) / 2 }
      out.push(bar)
      last.set(row, bar)
      continue
    }
    last.delete(row)
    if (split > start) out.push({ start, end: split, row, decode: false, prefill: 0, all: 0 })
    if (end > split || split === start) out.push({ start: split, end, row, decode: true, prefill: 0, all: 0 })
  }
  return out
}

export const rowsOf = (curve: StepCurve, end: number): { t: number; v: number }[] => {
  if (curve.seconds.length <= 2 * CURVE_BINS) return Array.from(curve.seconds, (t, i) => ({ t: short(t), v: short(curve.values[i]!) }))
  const bins = averaged(curve, end, CURVE_BINS)
  return [...bins.map((bin) => ({ t: short(bin.from), v: short(bin.value) })), { t: short(end), v: short(bins.at(-1)!.value) }]
}

/** One curve less another, at every step of either. */
export function difference(a: StepCurve, b: StepCurve): StepCurve {
  const seconds = Float64Array.from(new Set([...a.seconds, ...b.seconds])).sort()
  const at = (curve: StepCurve) => {
    let k = -1
    return (t: number): number => {
      while (k + 1 < curve.seconds.length && curve.seconds[k + 1]! <= t) k++
      return k < 0 ? 0 : curve.values[k]!
    }
  }
  const [of, less] = [at(a), at(b)]
  return { seconds, values: seconds.map((t) => of(t) - less(t)) }
}
