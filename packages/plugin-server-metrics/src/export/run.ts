import type { PhaseInfo, RunResult, SeriesSummary, TelemetryResult, TelemetryWindow } from '@aiperf/core'

const SOURCE = 'server_metrics'

/** The server metrics of a run; undefined when none were taken. */
export const serverMetrics = (run: RunResult): TelemetryResult | undefined => run.telemetry.find(({ source }) => source.replace(/^.*:/, '') === SOURCE)

export const windowOf = ({ startNs, endNs, index }: PhaseInfo): TelemetryWindow => ({ startNs, endNs, phase: index })
export const windowsOf = (run: RunResult, kind: PhaseInfo['kind']): TelemetryWindow[] => run.manifest.phases.filter((phase) => phase.kind === kind).map(windowOf)

/** `host:port`, and the path when it is not the usual one. */
export function endpointName(address: string): string {
  const url = new URL(address)
  return url.pathname === '/metrics' ? url.host : `${url.host}${url.pathname}`
}

export const boundText = (bound: number): string => (bound === Infinity ? '+Inf' : String(bound))

/** Series by the name of their metric, in order of names. */
export function byName(series: readonly SeriesSummary[]): [string, SeriesSummary[]][] {
  const groups = new Map<string, SeriesSummary[]>()
  for (const summary of series) {
    const group = groups.get(summary.series.name)
    if (group) group.push(summary)
    else groups.set(summary.series.name, [summary])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}
