import type { CounterStatistics, GaugeStatistics, HistogramStatistics, SeriesSummary } from '@aiperf/core'
import type { BigJson } from './big-json.js'
import { boundText } from './run.js'

type Members = { [key: string]: BigJson }
const GAUGE = ['avg', 'min', 'max', 'std', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'] as const

/** `stats` of a series as files have them; a series that only carries labels is a constant 1. */
export function statistics({ series, gauge, counter, histogram }: SeriesSummary, rates: readonly number[] = []): Members {
  if (gauge) return gaugeStats(gauge)
  if (counter) return counterStats(counter, rates)
  if (histogram) return histogramStats(histogram)
  return series.type === 'info' ? Object.fromEntries(GAUGE.map((name) => [name, name === 'std' ? 0 : 1])) : {}
}

const gaugeStats = (gauge: GaugeStatistics): Members => ({ ...Object.fromEntries(GAUGE.map((name) => [name, gauge[name]])), samples: gauge.count, coverage: gauge.coverage })

/** `rates`: of the complete time slices. */
function counterStats({ total, rate, resets, exact }: CounterStatistics, rates: readonly number[]): Members {
  const stats: Members = { total, rate }
  if (rates.length > 0) {
    const avg = rates.reduce((a, b) => a + b) / rates.length
    const variance = rates.reduce((a, r) => a + (r - avg) ** 2, 0) / Math.max(1, rates.length - 1)
    Object.assign(stats, { rate_avg: avg, rate_min: Math.min(...rates), rate_max: Math.max(...rates), rate_std: Math.sqrt(variance) })
  }
  return { ...stats, resets, exact }
}

function histogramStats({ count, sum, avg, countRate, sumRate, quantiles, resets, exact }: HistogramStatistics): Members {
  const stats: Members = { count, sum, avg, count_rate: countRate, sum_rate: sumRate }
  for (const [name, { estimate }] of Object.entries(quantiles)) stats[`${name}_estimate`] = estimate
  // The bounds of the bucket that holds the quantile; without an upper one it lies in the last bucket.
  for (const [name, { low, high }] of Object.entries(quantiles)) Object.assign(stats, { [`${name}_low`]: low, [`${name}_high`]: high })
  return { ...stats, resets, exact }
}

export const buckets = ({ series, histogram }: SeriesSummary): Members | undefined => histogram && Object.fromEntries((series.bounds ?? []).map((bound, i) => [boundText(bound), histogram.buckets[i]!]))

/** A time slice of a series: its borders are Unix ns. */
export function slice(summary: SeriesSummary, startNs: bigint, endNs: bigint, complete: boolean): Members {
  const { gauge, counter, histogram } = summary
  const head: Members = { start_ns: startNs, end_ns: endNs, ...(complete ? {} : { is_complete: false }) }
  if (gauge) return { ...head, avg: gauge.avg, min: gauge.min, max: gauge.max }
  if (counter) return { ...head, total: counter.total, rate: counter.rate }
  if (histogram) return { ...head, count: histogram.count, sum: histogram.sum, avg: histogram.avg, buckets: buckets(summary) }
  return { ...head, avg: 1, min: 1, max: 1 }
}
