import type { SeriesSummary } from '@aiperf/core'
import type { Figure, Reading } from './servers.js'

/** A figure of a server over a window. */
export interface Shown {
  avg: number
  min?: number
  max?: number
  p50?: number
  p90?: number
  p99?: number
  std?: number
  /** The percentiles are those of buckets. */
  estimated?: true
}

/** The figure, from the series of one target; undefined when the server does not show it. */
export function readFigure({ readings }: Figure, series: readonly SeriesSummary[]): Shown | undefined {
  for (const reading of readings) {
    const shown = read(reading, series)
    if (shown && Number.isFinite(shown.avg)) return shown
  }
  return undefined
}

function read(reading: Reading, series: readonly SeriesSummary[]): Shown | undefined {
  const scale = reading.scale ?? 1
  const found = firstNamed(reading.names, series, reading.from === 'gauge' ? reading.where : undefined)
  if (found.length === 0) return undefined
  const add = (of: readonly SeriesSummary[], value: (s: SeriesSummary) => number | undefined): number => of.reduce((sum, s) => sum + (value(s) ?? 0), 0)
  switch (reading.from) {
    case 'gauge':
      return gauges(found, reading.combine, scale)
    case 'rate':
      return { avg: add(found, (s) => s.counter?.rate) * scale }
    case 'total':
      return { avg: add(found, (s) => s.counter?.total) * scale }
    case 'sum-rate':
      return { avg: add(found, (s) => s.histogram?.sumRate) * scale }
    case 'share': {
      const all = reading.together ? reading.of.flatMap((name) => firstNamed([name], series)) : firstNamed(reading.of, series)
      const of = add(all, (s) => s.counter?.total)
      return of > 0 ? { avg: (add(found, (s) => s.counter?.total) / of) * scale } : undefined
    }
    case 'histogram':
      return histograms(found, scale)
  }
}

function firstNamed(names: readonly string[], series: readonly SeriesSummary[], where: Readonly<Record<string, string>> = {}): SeriesSummary[] {
  for (const name of names) {
    const found = series.filter((s) => s.series.name === name && Object.entries(where).every(([label, value]) => s.series.labels[label] === value))
    if (found.length > 0) return found
  }
  return []
}

/** One series has all its statistics; of several only the mean of the sum (or of the mean) is exact. */
function gauges(found: readonly SeriesSummary[], combine: 'sum' | 'mean', scale: number): Shown | undefined {
  const all = found.flatMap(({ gauge }) => gauge ?? [])
  const [only] = all
  if (!only) return undefined
  if (all.length === 1) {
    const { avg, min, max, p50, p90, p99, std } = only
    return { avg: avg * scale, min: min * scale, max: max * scale, p50: p50 * scale, p90: p90 * scale, p99: p99 * scale, std: std * scale }
  }
  const sum = all.reduce((total, { avg }) => total + avg, 0) * scale
  if (combine === 'sum') return { avg: sum }
  return { avg: sum / all.length, min: Math.min(...all.map(({ min }) => min)) * scale, max: Math.max(...all.map(({ max }) => max)) * scale }
}

/** The observations of all series together; quantiles of one series only, as buckets may differ. */
function histograms(found: readonly SeriesSummary[], scale: number): Shown | undefined {
  const all = found.flatMap(({ histogram }) => (histogram && histogram.count > 0 ? histogram : []))
  const [only] = all
  if (!only) return undefined
  const avg = (all.reduce((sum, h) => sum + h.sum, 0) / all.reduce((sum, h) => sum + h.count, 0)) * scale
  if (all.length > 1) return { avg }
  const quantile = (name: string): Record<string, number> => {
    const estimate = only.quantiles[name]?.estimate
    return estimate === undefined || !Number.isFinite(estimate) ? {} : { [name]: estimate * scale }
  }
  return { avg, ...quantile('p50'), ...quantile('p90'), ...quantile('p99'), estimated: true }
}
