import type { AbsentMetric, MetricResult } from '@aiperf/core'
import type { Plan } from './plan.js'
import type { SamplePart } from './sample.js'

/** Why metrics that are installed have no value in a phase. Internal ones are passed over. */
export function absentMetrics(plan: Plan, all: readonly { tag: string; internal?: boolean }[], metrics: ReadonlyMap<string, MetricResult>, parts: readonly SamplePart[]): AbsentMetric[] {
  const count = (selection: 'success' | 'error'): number => parts.reduce((sum, { sample }) => sum + sample.records(selection), 0)
  const succeeded = count('success')
  const failed = count('error')
  const reasonOf = (tag: string, seen: ReadonlySet<string> = new Set()): string => {
    const refused = plan.refused.get(tag)
    if (refused !== undefined) return refused
    const fault = plan.faults.get(tag)
    if (fault !== undefined) return `its formula failed: ${fault}`
    const metric = plan.byTag.get(tag)
    if (metric === undefined) return 'no installed plugin has it'
    const missing = metric.requires?.find((required) => !metrics.has(required) && !seen.has(required))
    if (missing !== undefined) return `needs ${missing}: ${reasonOf(missing, new Set([...seen, tag])).replace(/^needs \S+: /, '')}`
    if (metric.kind === 'record' || metric.kind === 'aggregate') {
      if (metric.records === 'error' && failed === 0) return 'no request failed'
      if (metric.records === undefined && succeeded === 0) return 'no request succeeded'
      return metric.absence ?? (metric.records === 'all' ? 'no request had a value' : `none of ${metric.records === 'error' ? failed : succeeded} requests had a value`)
    }
    return metric.absence ?? (succeeded === 0 ? 'no request succeeded' : 'what it is made of has no value')
  }
  return all.filter(({ tag, internal }) => !internal && !metrics.has(tag)).map(({ tag }) => ({ tag, reason: reasonOf(tag) }))
}
