import { EXIT, type AiperfError, type RunModel, type RunResult } from '@aiperf/core'

/** What the process says of a run when it ends; the first that applies. */
export function exitCode(result: RunResult, failures: readonly AiperfError[], model: RunModel): number {
  if (result.manifest.phases.some((p) => p.endedBy === 'error-threshold')) return EXIT.limit
  if (result.manifest.wasCancelled) return EXIT.interrupted
  if (failures.length > 0) return failures[0]!.exitCode
  if (!result.profiling.metrics.get('request_count')?.avg) return EXIT.failed
  if (model.runtime.strict && result.verdict.verdict !== 'valid') return EXIT.limit
  return EXIT.ok
}
