import type { RecordSelection, Statistics } from '@aiperf/core'
import { gather, merged, type SamplePart } from './sample.js'
import { selectRanks } from './select.js'
import { PERCENTILES } from './statistics.js'

/**
 * Statistics of a sample in which each of `failed` requests counts as infinitely bad. Percentiles are defined as everywhere;
 * those that reach into the failed share, and everything that needs all values, have no finite value and are absent.
 */
export function errorAdjusted(parts: readonly SamplePart[], slot: number, selection: RecordSelection, failed: number): Statistics {
  const histogram = parts.some(({ sample }) => sample.column(slot)?.histogram) ? merged(parts, slot) : undefined
  const { values, count } = histogram ? { values: undefined, count: histogram.count } : gather(parts, slot, selection)
  const total = count + failed
  const places = PERCENTILES.map((q) => (q / 100) * (total - 1)).map((at) => ({ low: Math.floor(at), high: Math.ceil(at), at }))
  const finite = places.filter(({ high }) => high < count)
  if (values) selectRanks(values, 0, count, [...new Set([0, ...finite.flatMap(({ low, high }) => [low, high])])].toSorted((a, b) => a - b))
  const atRank = (rank: number): number => (values ? values[rank]! : histogram!.atRank(rank))
  const statistics: Statistics = { min: atRank(0), count: total }
  PERCENTILES.forEach((q, i) => {
    const { low, high, at } = places[i]!
    if (high < count) statistics[`p${q}`] = atRank(low) + (at - low) * (atRank(high) - atRank(low))
  })
  return statistics
}
