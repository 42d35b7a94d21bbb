import { STATISTICS, type MetricResult } from '@aiperf/core'
import { interval, type Interval } from '../../statistics/student.js'
import type { RunRecord } from '../ledger.js'

/** One statistic of a metric over all runs at a point. */
export interface Combined extends Interval {
  tag: string
  stat: string
  unit: string
}

/** Statistic of a metric by `<tag>_<stat>`. */
export type CombinedMetrics = ReadonlyMap<string, Combined>

/** Every statistic of every metric over the runs that succeeded, with its interval. Values that are not finite are left out. */
export function combine(records: readonly RunRecord[], level: number): CombinedMetrics {
  const values = new Map<string, { tag: string; stat: string; unit: string; values: number[] }>()
  for (const { metrics, status } of records) {
    if (status !== 'ok') continue
    for (const metric of metrics)
      for (const stat of STATISTICS) {
        const value = statOf(metric, stat)
        if (value === undefined) continue
        const key = `${metric.tag}_${stat}`
        const found = values.get(key)
        if (found) found.values.push(value)
        else values.set(key, { tag: metric.tag, stat, unit: metric.unit, values: [value] })
      }
  }
  return new Map([...values].map(([key, { tag, stat, unit, values: all }]) => [key, { tag, stat, unit, ...interval(all, level) }]))
}

/** A finite statistic of a metric; undefined: it has none. */
export function statOf(metric: MetricResult | undefined, stat: string): number | undefined {
  const value = metric?.[stat as 'avg']
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
