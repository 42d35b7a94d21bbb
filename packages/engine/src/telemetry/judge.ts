import type { TelemetryJudge, TelemetryResult, TelemetryWindow, VerdictReason } from '@aiperf/core'
import type { Host } from '@aiperf/core/host'

/**
 * What the sources of a run have to say about a phase. Sources that are not installed any more, or have no opinion, say
 * nothing.
 */
export async function telemetryJudge(host: Host, telemetry: readonly TelemetryResult[]): Promise<(phase: TelemetryWindow) => readonly VerdictReason[]> {
  const judges: { result: TelemetryResult; judge: TelemetryJudge }[] = []
  for (const result of telemetry) {
    try {
      const { judge } = (await host.load('telemetry_source', result.source)) as { judge?: TelemetryJudge }
      if (judge) judges.push({ result, judge })
    } catch {
      // Its samples are there all the same.
    }
  }
  return (phase) => judges.flatMap(({ result, judge }) => judge(result, phase))
}
