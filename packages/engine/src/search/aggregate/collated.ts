import type { JsonObject } from '@aiperf/core'
import { VERSION } from '../../control/version.js'
import { summarise } from '../../evaluate/statistics.js'
import type { Sample } from '../samples.js'

/** `profile_export_aiperf_collated.json`: the requests of all runs together, and each run's mean. */
export function collatedJson(runs: readonly { label: string; samples: ReadonlyMap<string, Sample> }[], metadata: JsonObject): JsonObject {
  const tags = [...new Set(runs.flatMap(({ samples }) => [...samples.keys()]))].sort()
  const metrics = tags.flatMap((tag) => {
    const of = runs.map(({ label, samples }) => ({ label, values: samples.get(tag)?.values ?? [] })).filter(({ values }) => values.length > 0)
    if (of.length === 0) return []
    const all = Float64Array.from(of.flatMap(({ values }) => values))
    const { statistics: s } = summarise(all, all.length)
    const unit = runs.flatMap(({ samples }) => samples.get(tag)?.unit ?? [])[0]!
    return [
      [
        tag,
        {
          unit,
          combined: { mean: s.avg!, std: s.std!, p50: s.p50!, p90: s.p90!, p95: s.p95!, p99: s.p99!, count: all.length },
          per_run: of.map(({ label, values }) => ({ label, mean: values.reduce((sum, v) => sum + v, 0) / values.length, count: values.length })),
        },
      ] as const,
    ]
  })
  return {
    schema_version: '1.0.0',
    aiperf_version: VERSION,
    description: 'Values of all requests of all runs, pooled. Requests of one run resemble each other: intervals of the mean belong to the runs, not to this pool.',
    metadata,
    metrics: Object.fromEntries(metrics),
  }
}
