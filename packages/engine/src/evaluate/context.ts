import type { Metric, MetricContext, Problem } from '@aiperf/core'
import type { EvaluateInput } from './input.js'
import { displayDivisor } from './units.js'

/** Defaults of `AIPERF_METRICS_OSL_MISMATCH_PCT_THRESHOLD`, `…_MAX_TOKEN_THRESHOLD` and `AIPERF_METRICS_USAGE_PCT_DIFF_THRESHOLD`. */
export const METRIC_THRESHOLDS: MetricContext['thresholds'] = { oslMismatchPct: 5, oslMismatchTokens: 50, usageDiffPct: 10 }

/** Mean network round trip of the run, ns. */
export function networkRtt(input: EvaluateInput): number | undefined {
  if (input.networkRttNs !== undefined) return input.networkRttNs
  const given = input.model.networkLatency.meanMs
  return given === undefined ? undefined : given * 1e6
}

/** What formulas may know of the run. */
export function metricContext(input: EvaluateInput, admitted: readonly Metric[]): MetricContext {
  const { model, manifest } = input
  const rtt = networkRtt(input)
  const first = model.phases.find((phase) => phase.kind === 'profiling')
  const concurrency = first?.options['concurrency']
  return {
    streaming: manifest.endpoint.streaming,
    useServerTokenCount: model.endpoint.useServerTokenCount,
    perChunkUsage: model.endpoint.perChunkUsage,
    ...(rtt === undefined ? {} : { networkRttNs: rtt }),
    objectives: objectives(model.slos, admitted),
    ...(typeof concurrency === 'number' ? { concurrency } : {}),
    thresholds: { ...METRIC_THRESHOLDS, ...input.metricThresholds },
    phaseStartNs: 0,
  }
}

/**
 * Goodput objectives: thresholds come in display units. A name that is no record metric of this run is an objective no
 * request meets; `objectiveProblems` finds it before the run.
 */
function objectives(slos: Readonly<Record<string, number>>, admitted: readonly Metric[]): MetricContext['objectives'] {
  return Object.entries(slos).map(([tag, threshold]) => {
    const metric = admitted.find((m) => m.tag === tag)
    return { tag, threshold: threshold * (metric ? displayDivisor(metric)! : 1), atLeast: metric?.largerIsBetter === true }
  })
}

/** What is wrong with objectives, to be asked before a run. */
export function objectiveProblems(slos: Readonly<Record<string, number>>, metrics: readonly Metric[]): Problem[] {
  const problems: Problem[] = []
  for (const tag of Object.keys(slos)) {
    const metric = metrics.find((m) => m.tag === tag)
    if (metric?.kind === 'record') continue
    problems.push({
      flags: ['--goodput'],
      message: metric ? `--goodput ${tag}: this metric has no value for single requests.` : `--goodput ${tag}: there is no such metric.`,
      hint: 'Objectives are metrics that every request has a value of, such as request_latency, time_to_first_token or inter_token_latency.',
    })
  }
  return problems
}
