import { definePlot, type Figure, type JsonObject, type NoFigure, type PlotRun, type PlotStyle } from '@aiperf/core'
import { axisTitle } from '../figure/measure.js'
import { sortedValues } from '../figure/quantiles.js'
import { counted, short } from '../figure/rows.js'
import { isAbsent, isFigure, requestData, subtitleOf } from '../figure/run-data.js'
import { failureTicks, LOG_NOTE, runEnd, timeAxis, valueAxis } from '../figure/time-axis.js'
import { binsFor, timeBins, type TimeBin } from '../figure/time-bins.js'
import type schema from './percentile-bands.options.js'

type LineName = 'p50' | 'p90' | 'p99' | 'max'
/** Name, colour, dash. The 99th percentile of fewer than a hundred values is little else than their maximum. */
const linesFor = (perBin: number): readonly (readonly [LineName, number, readonly number[]])[] => [['p50', 0, []], ['p90', 4, [6, 3]], [perBin >= 100 ? 'p99' : 'max', 1, [2, 3]]]
const MOST_OUTLIERS = 300

/** A metric of single requests over time: percentiles of those that started together, and the requests beyond them. */
export default definePlot<typeof schema>({
  create: ({ options }) => ({
    draw: ([run], style) => draw(run!, options.y, options.autoscale === 'y' || options.autoscale === 'both', style),
  }),
})

async function draw(run: PlotRun, tag: string, fit: boolean, style: PlotStyle): Promise<Figure | NoFigure> {
  const data = await requestData(run, tag, style)
  if (isAbsent(data) || isFigure(data)) return data
  const { table, column, metric, count } = data
  const end = runEnd(table)
  const bins = timeBins(table, column, binsFor(count))
  const title = axisTitle(metric)
  const { y, log } = valueAxis('v', title, sortedValues(column), fit)
  const x = timeAxis('t', end)
  const failed = failureTicks(table, style, end)
  const single = bins.length < 3
  const points = single ? all(table.startSeconds, column) : outliers(table.startSeconds, column, bins)
  const layers: JsonObject[] = single
    ? [pointLayer(points, x, y, style.series[0]!, 50)]
    : [...bands(bins, x, y, style), ...(meanCount(bins) >= 100 ? [pointLayer(points, x, y, style.muted, 16)] : [])]
  const shown = single ? [`${counted(count, 'request')}: too few for percentiles over time, so each is shown.`] : [bandNote(bins, meanCount(bins) >= 100 ? points.length : 0)]
  return {
    spec: { layer: [...layers, ...failed.layers] },
    description: `${title} of ${counted(count, 'request')} over ${short(end)} s.`,
    subtitle: subtitleOf(run, table),
    notes: [...shown, ...(log ? [LOG_NOTE] : []), ...failed.notes],
  }
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
  encoding: { x, y, tooltip: [{ field: 't', title: 'Start (s)' }, { field: 'v', title: String(y['title']), format: ',.4~r' }, { field: 'n', title: 'Request' }] },
})

const all = (starts: Float64Array, column: Float64Array): JsonObject[] =>
  Array.from(column, (v, i) => ({ t: short(starts[i]!), v: short(v), n: i })).filter(({ v }) => !Number.isNaN(v))

/** Requests above the 99th percentile of their bin, the largest first when there are too many. */
function outliers(starts: Float64Array, column: Float64Array, bins: readonly TimeBin[]): JsonObject[] {
  const width = bins[0]!.to - bins[0]!.from
  const limits = new Map(bins.map((bin) => [Math.round(bin.from / width), bin.p99]))
  const found: { t: number; v: number; n: number }[] = []
  for (let i = 0; i < column.length; i++) {
    const limit = limits.get(Math.floor(starts[i]! / width)) ?? limits.get(limits.size - 1)
    if (limit !== undefined && column[i]! > limit) found.push({ t: short(starts[i]!), v: short(column[i]!), n: i })
  }
  return found.sort((a, b) => b.v - a.v).slice(0, MOST_OUTLIERS)
}
