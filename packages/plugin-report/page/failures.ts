import type { JsonObject, PlotStyle } from '@aiperf/core'
import { legendOf } from '../src/figure/legend.js'
import { timeAxis } from '../src/figure/time-axis.js'
import type { RunSummary } from '../src/figure/summary.js'

const BINS = 60

/** Failed requests over time, by kind where each of them is known. */
export function failuresSpec({ points, errors, bins, end }: RunSummary, style: PlotStyle): JsonObject {
  const count = bins ? bins.failed.length : BINS
  const width = end / count
  const rows = bins
    ? bins.failed.flatMap((n, i) => (n > 0 ? [{ from: i * width, to: (i + 1) * width, n, error: 'failed' }] : []))
    : counted(points.start, points.error, width, errors)
  const kinds = [...new Set(rows.map((row) => row.error))]
  const colors = [style.bad, ...[4, 3, 0, 6, 7, 5].map((i) => style.series[i]!)]
  return {
    data: { values: rows },
    mark: { type: 'bar', binSpacing: 1 },
    encoding: {
      x: { ...timeAxis('from', end), bin: { binned: true } },
      x2: { field: 'to' },
      y: { field: 'n', type: 'quantitative', title: 'Failed requests', axis: { tickMinStep: 1 }, stack: 'zero' },
      ...(kinds.length > 1 ? { color: { field: 'error', type: 'nominal', title: null, scale: { domain: kinds, range: colors.slice(0, kinds.length) }, legend: legendOf(kinds) } } : { color: { value: style.bad } }),
      tooltip: [{ field: 'error', title: 'Error' }, { field: 'n', title: 'Requests' }],
    },
  }
}

function counted(starts: readonly number[], kinds: readonly number[], width: number, errors: readonly string[]): { from: number; to: number; n: number; error: string }[] {
  const found = new Map<string, { from: number; to: number; n: number; error: string }>()
  starts.forEach((start, k) => {
    const error = errors[kinds[k]!]
    if (!kinds[k] || error === undefined) return
    const bin = Math.min(BINS - 1, Math.floor(start / width))
    const key = `${bin} ${error}`
    const row = found.get(key) ?? { from: bin * width, to: (bin + 1) * width, n: 0, error }
    row.n++
    found.set(key, row)
  })
  return [...found.values()]
}
