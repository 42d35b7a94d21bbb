import type { PhaseInfo, SeriesSummary, TelemetryResult, TelemetryWindow } from '@aiperf/core'

/** The windows of the profiling phases, or of phases of another kind. */
export function phaseWindows(phases: readonly PhaseInfo[], kind: PhaseInfo['kind'] = 'profiling'): TelemetryWindow[] {
  return phases.filter((phase) => phase.kind === kind).map(({ startNs, endNs, index }) => ({ startNs, endNs, phase: index }))
}

/** What `Scope.telemetry` answers: the series of a name, of every source and target, over a window. Answers are kept. */
export function scopeTelemetry(telemetry: readonly TelemetryResult[], windows: readonly TelemetryWindow[]): (name: string) => readonly SeriesSummary[] {
  const known = new Map<string, SeriesSummary[]>()
  return (name) => {
    let answer = known.get(name)
    if (!answer) {
      answer = telemetry.flatMap((result) => result.summarise(windows, name))
      known.set(name, answer)
    }
    return answer
  }
}
