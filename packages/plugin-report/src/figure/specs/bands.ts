import type { JsonObject, PlotStyle } from '@aiperf/core'
import { counted, short } from '../rows.js'
import { failureTicks, LOG_NOTE, timeAxis, valueAxis } from '../time-axis.js'
import type { TimeBin } from '../time-bins.js'

type LineName = 'p50' | 'p90' | 'p99' | 'max'
/** Name, colour, dash. The 99th percentile of fewer than a hundred values is little else than their maximum. */
const linesFor = (perBin: number): readonly (readonly [LineName, number, readonly number[]])[] => [['p50', 0, []], ['p90', 4, [6, 3]], [perBin >= 100 ? 'p99' : 'max', 1, [2, 3]]]

/** A request as a point over time. */
export interface TimePoint {
  t: number
  v: number
  n: number
}

export interface BandsInput {
  /** Fewer than three: every request is a point instead. */
  bins: readonly TimeBin[]
  /** All requests, or those that stick out of their bins. */
  points: readonly TimePoint[]
  /** All values, or quantiles of them, ascending: they decide whether the axis is logarithmic. */
  sorted: Float64Array
  title: string
  /** Requests that have a value. */
  count: number
  end: number
  /** Starts of failed requests, s. */
  failures: readonly number[]
  fit?: boolean
}

/** Percentiles over time. */
export function bandsSpec(input: BandsInput, style: PlotStyle): { spec: JsonObject; notes: string[] } {
  const { bins, end, title, count } = input
  const { y, log } = valueAxis('v', title, input.sorted, input.fit)
  const x = timeAxis('t', end)
  const failed = failureTicks(input.failures, style, end)
  const single = bins.length < 3
  const crowded = !single && meanCount(bins) >= 100
  const values = input.points.map(({ t, v, n }) => ({ t: short(t), v: short(v), n }))
  const layers = single ? [pointLayer(values, x, y, style.series[0]!, 50)] : [...bands(bins, x, y, style), ...(crowded ? [pointLayer(values, x, y, style.muted, 16)] : [])]
  const shown = single ? [`${counted(count, 'request')}: too few for percentiles over time, so each is shown.`] : [bandNote(bins, crowded ? values.length : 0)]
  return { spec: { layer: [...layers, ...failed.layers] }, notes: [...shown, ...(log ? [LOG_NOTE] : []), ...failed.notes] }
}

const meanCount = (bins: readonly TimeBin[]): number => bins.reduce((sum, bin) => sum + bin.count, 0) / bins.length

function bandNote(bins: readonly TimeBin[], outliers: number): string {
  const seconds = bins[0]!.to - bins[0]!.from
  return `Percentiles of the requests that started within the same ${short(Number(seconds.toPrecision(2)))} s; the shade covers the middle 80 %.${outliers > 0 ? ' Dots: single requests above p99.' : ''}`
}

/** Steps: what is known holds for a whole bin. Where bins are missing the line is broken. */
function bands(bins: readonly TimeBin[], x: JsonObject, y: JsonObject, style: PlotStyle): JsonObject[] {
  const lines = linesFor(meanCount(bins))
  const edges = bins.flatMap((bin, i) => {
    const next = bins[i + 1]
    const gap = next === undefined || next.from > bin.to + 1e-9
    return [{ t: short(bin.from), bin }, ...(gap ? [{ t: short(bin.to), bin }, ...(next ? [{ t: short(bin.to), bin: undefined }] : [])] : [])]
  })
  const values = edges.map(({ t, bin }) => ({ t, v: bin ? short(bin.p10) : null, high: bin ? short(bin.p90) : null }))
  const rows = lines.flatMap(([name]) => edges.map(({ t, bin }) => ({ t, v: bin ? short(bin[name]) : null, line: name, n: bin?.count ?? 0 })))
  const names = lines.map(([name]) => name)
  return [
    { data: { values }, mark: { type: 'area', interpolate: 'step-after', color: style.series[0]!, opacity: 0.16, invalid: 'break-paths-show-path-domains' }, encoding: { x, y, y2: { field: 'high' } } },
    {
      data: { values: rows },
      mark: { type: 'line', interpolate: 'step-after', invalid: 'break-paths-show-path-domains' },
      encoding: {
        x, y,
        color: { field: 'line', type: 'nominal', title: null, scale: { domain: names, range: lines.map(([, color]) => style.series[color]!) } },
        strokeDash: { field: 'line', type: 'nominal', title: null, scale: { domain: names, range: lines.map(([, , dash]) => [...dash]) } },
        tooltip: [{ field: 't', title: 'Time (s)' }, { field: 'line', title: 'Percentile' }, { field: 'v', title: String(y['title']), format: ',.4~r' }, { field: 'n', title: 'Requests' }],
      },
    },
  ]
}

const pointLayer = (values: JsonObject[], x: JsonObject, y: JsonObject, color: string, size: number): JsonObject => ({
  data: { values }, mark: { type: 'point', color, size, opacity: 0.65 },
  encoding: { x, y, tooltip: [{ field: 't', title: 'Start (s)', format: ',.4~r' }, { field: 'v', title: String(y['title']), format: ',.4~r' }, { field: 'n', title: 'Request' }] },
})

const MOST_OUTLIERS = 300

/** Requests above the 99th percentile of their bin, the largest first when there are too many. */
export function outliers(starts: Float64Array, column: Float64Array, bins: readonly TimeBin[]): TimePoint[] {
  if (bins.length === 0) return []
  const width = bins[0]!.to - bins[0]!.from
  const limits = new Map(bins.map((bin) => [Math.round(bin.from / width), bin.p99]))
  const found: TimePoint[] = []
  for (let i = 0; i < column.length; i++) {
    const limit = limits.get(Math.floor(starts[i]! / width)) ?? limits.get(limits.size - 1)
    if (limit !== undefined && column[i]! > limit) found.push({ t: starts[i]!, v: column[i]!, n: i })
  }
  return found.sort((a, b) => b.v - a.v).slice(0, MOST_OUTLIERS)
}
