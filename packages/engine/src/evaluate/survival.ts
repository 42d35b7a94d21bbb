import type { Statistics } from '@aiperf/core'
import { gather, type SamplePart } from './sample.js'
import { PERCENTILES } from './statistics.js'

/**
 * Percentiles of a time of which some values are known only to be longer than an age: the product-limit estimator (Kaplan
 * and Meier, 1958). A percentile is the smallest time by which that share is estimated to have ended; those beyond the last
 * known end are absent. Undefined when no request was unfinished, or a sample is too large to be kept exactly.
 */
export function withUnfinished(parts: readonly SamplePart[], ended: number, ages: number): Statistics | undefined {
  for (const { sample } of parts) if (sample.column(ended)?.histogram || sample.column(ages)?.histogram) return undefined
  const unfinished = sorted(parts, ages, 'all')
  if (unfinished.length === 0) return undefined
  return productLimit(sorted(parts, ended, 'success'), unfinished)
}

function sorted(parts: readonly SamplePart[], slot: number, selection: 'success' | 'all'): Float64Array {
  const { values, count } = gather(parts, slot, selection)
  return values.slice(0, count).sort()
}

/** Both ascending. */
export function productLimit(ended: Float64Array, unfinished: Float64Array): Statistics {
  const total = ended.length + unfinished.length
  const statistics: Statistics = { count: total }
  if (ended.length > 0) statistics.min = ended[0]!
  let surviving = 1
  let censored = 0
  let next = 0
  for (let i = 0; i < ended.length && next < PERCENTILES.length; i++) {
    // At the same moment, ends come before what was only seen that long.
    while (censored < unfinished.length && unfinished[censored]! < ended[i]!) censored++
    surviving *= 1 - 1 / (total - i - censored)
    while (next < PERCENTILES.length && 1 - surviving >= PERCENTILES[next]! / 100 - 1e-12) statistics[`p${PERCENTILES[next++]!}`] = ended[i]!
  }
  return statistics
}
