import type { SeriesSummary, TelemetryJudge, VerdictReason } from '@aiperf/core'

/** Share of the phase beyond which a power limit is worth a word, and coverage below which figures of power are shaky. */
const CAPPED_SHARE = 0.05
const COVERAGE = 0.9

/** What GPUs have to say of a phase: errors of the hardware, power limits, samples that are missing. */
export const judgeGpus: TelemetryJudge = (result, phase) => {
  const reasons: VerdictReason[] = []
  const seconds = (phase.endNs - phase.startNs) / 1e9
  const gpu = ({ series, target }: SeriesSummary): string => `GPU ${series.subject?.id ?? '?'} of ${result.targets[target]!.name}`
  for (const summary of result.summarise([phase])) {
    const { series, gauge, counter } = summary
    if (series.name === 'nvidia_xid_errors' && gauge && gauge.max > 0)
      reasons.push({ code: 'gpu-error', level: 'suspect', message: `${gpu(summary)} reports XID error ${gauge.max}.`, value: gauge.max, threshold: 0 })
    if (series.name === 'amd_ecc_uncorrectable' && counter && counter.total > 0)
      reasons.push({ code: 'gpu-error', level: 'suspect', message: `${gpu(summary)} counted ${counter.total} uncorrectable memory errors.`, value: counter.total, threshold: 0 })
    const capped = series.name === 'nvidia_power_violation' && counter ? counter.total / 1e6 / seconds : series.name === 'amd_throttle_status' ? gauge?.avg : undefined
    if (capped !== undefined && capped > CAPPED_SHARE)
      reasons.push({ code: 'gpu-throttled', level: 'note', message: `${gpu(summary)} was held down by its power or heat limit for ${Math.round(100 * Math.min(1, capped))} % of the phase.`, value: capped, threshold: CAPPED_SHARE })
    if ((series.name === 'nvidia_power_usage' || series.name === 'amd_power') && gauge && gauge.coverage < COVERAGE)
      reasons.push({ code: 'telemetry-gaps', level: 'note', message: `samples of ${gpu(summary)} cover ${Math.round(100 * gauge.coverage)} % of the phase: power and energy are estimates`, value: gauge.coverage, threshold: COVERAGE })
  }
  return reasons
}
