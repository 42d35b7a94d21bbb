import type { MetricResult, Statistics } from '@aiperf/core'
import { unitText } from '@aiperf/core/numbers'

/** A metric and which of its statistics is meant. */
export interface Measure {
  metric: string
  stat: keyof Statistics
}

const SHORTHAND = /^(.+)_(avg|min|max|std|p1|p5|p10|p25|p50|p75|p90|p95|p99)$/

/** As options give it: a tag, `tag_p99`, or both apart. Undefined `stat`: whatever the metric has, the mean first. */
export type MeasureOption = string | { metric: string; stat?: string | undefined }

/** Reads an option. A tag that exists as it is wins over its reading as a shorthand. */
export function measureOf(option: MeasureOption, exists: (tag: string) => boolean, stat?: string): Measure & { given: boolean } {
  if (typeof option === 'object') return { metric: option.metric, stat: (option.stat ?? stat ?? 'avg') as keyof Statistics, given: (option.stat ?? stat) !== undefined }
  const short = exists(option) ? undefined : SHORTHAND.exec(option)
  if (short) return { metric: short[1]!, stat: short[2] as keyof Statistics, given: true }
  return { metric: option, stat: (stat ?? 'avg') as keyof Statistics, given: stat !== undefined }
}

/** `Time to First Token` → `Time to first token`: axis titles are sentences, acronyms stay. */
export const sentence = (header: string): string =>
  header.split(' ').map((word, i) => (i === 0 || /[A-Z].*[A-Z]|\d/.test(word) ? word : word.toLowerCase())).join(' ')

/** `Time to first token, p99 (ms)`. A metric of one value per run has no statistic to name. */
export function axisTitle(metric: Pick<MetricResult, 'header' | 'unit'>, stat?: string): string {
  const unit = unitText(metric.unit)
  return `${sentence(metric.header)}${stat === undefined ? '' : `, ${STAT_WORDS[stat] ?? stat}`}${unit === '' ? '' : ` (${unit})`}`
}

/** Says which of the runs have too few requests for a statistic, if any. */
export function thinNote(what: string, results: readonly MetricResult[], stat: keyof Statistics): string[] {
  const needed = results.flatMap((m) => m.withheld?.[stat] ?? [])
  return needed.length === 0 ? [] : [`${what}: ${needed.length === results.length ? (needed.length === 1 ? 'the run has' : 'every run has') : `${needed.length} of ${results.length} runs have`} too few requests for it to be sure (${Math.max(...needed).toLocaleString('en-US')} are needed).`]
}
const STAT_WORDS: Record<string, string> = { avg: 'mean', std: 'standard deviation', sum: 'total' }
