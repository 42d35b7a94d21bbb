import type { LiveSnapshot } from '@aiperf/core'
import { bytes, count, decimal } from '../format.js'

/** A worker thread that is busy for more than this share of the time delays what it measures. */
const BUSY = 0.9
/** Lag that is a larger part of what is measured than this is worth a word; below 2 ms it never is. */
const LAG_SHARE = 0.05
const LAG_FLOOR_MS = 2
const BACKLOG_BYTES = 256 * 2 ** 20

/** How late requests leave, beside what is measured: 0 on time, 1 as late as is still good. */
export function lateness(s: LiveSnapshot): number | undefined {
  const { lag, ttft, latency } = s.latency
  if (!lag) return undefined
  const measured = (ttft ?? latency)?.p50 ?? 0
  return lag.p99 / Math.max(LAG_FLOOR_MS, measured * LAG_SHARE)
}

/** What may spoil the result, in the person's words; the worst first. */
export function warningsOf(s: LiveSnapshot): string[] {
  const warnings: string[] = []
  const busiest = [...s.workers].sort((a, b) => b.utilization - a.utilization)[0]
  if (busiest && busiest.utilization >= BUSY)
    warnings.push(`client saturated: worker ${busiest.id} is busy ${Math.round(busiest.utilization * 100)} % of the time, latencies include it`)
  if ((lateness(s) ?? 0) > 1) warnings.push(`requests leave late: lag p99 ${decimal(s.latency.lag!.p99)} ms`)
  if (s.stage === 'profiling' && s.offeredPerSecond && s.elapsedSeconds > 5 && s.achievedPerSecond < 0.95 * s.offeredPerSecond)
    warnings.push(`${Math.floor((100 * s.achievedPerSecond) / s.offeredPerSecond)} % of the offered rate is achieved`)
  if (s.skipped > 0) warnings.push(`${count(s.skipped)} arrivals found no free slot and were skipped`)
  if (s.backlogBytes > BACKLOG_BYTES) warnings.push(`recorders are ${bytes(s.backlogBytes)} behind`)
  return warnings
}
