import type { RunResult, SeriesSummary, TelemetryResult, TelemetrySubject, TelemetryTargetReport, TelemetryWindow } from '@aiperf/core'

/** A GPU that a source saw, with its series over the windows asked for. */
export interface SeenGpu {
  endpoint: string
  subject: TelemetrySubject
  series: SeriesSummary[]
}

/** The sources of this package: they are told of even when they saw no GPU. */
const OWN = new Set(['dcgm', 'nvidia-smi', 'amd-smi'])

/** Sources that measured GPUs, a vendor's among them. */
export const gpuSources = (run: RunResult): TelemetryResult[] =>
  run.telemetry.filter((result) => OWN.has(result.source.replace(/^.*:/, '')) || result.series.some(({ series }) => series.subject?.kind === 'gpu'))

/** Every GPU with its series, in the order in which they were seen. */
export function seenGpus(sources: readonly TelemetryResult[], windows: readonly TelemetryWindow[]): SeenGpu[] {
  const gpus = new Map<string, SeenGpu>()
  for (const result of sources)
    for (const summary of result.summarise(windows)) {
      const { subject } = summary.series
      if (subject?.kind !== 'gpu') continue
      const endpoint = endpointName(result.targets[summary.target]!)
      const key = JSON.stringify([result.source, endpoint, subject.id, subject.attributes?.['uuid']])
      let gpu = gpus.get(key)
      if (!gpu) gpus.set(key, (gpu = { endpoint, subject, series: [] }))
      gpu.series.push(summary)
    }
  return [...gpus.values()]
}

/** `host:port`, and the path when it is not the usual one; the tool's name for local sources. */
export function endpointName({ name }: Pick<TelemetryTargetReport, 'name'>): string {
  if (!/^https?:\/\//.test(name)) return name
  const url = new URL(name)
  return url.pathname === '/metrics' ? url.host : `${url.host}${url.pathname}`
}

export const windowsOf = (run: RunResult): TelemetryWindow[] => run.manifest.phases.filter((phase) => phase.kind === 'profiling').map(({ startNs, endNs, index }) => ({ startNs, endNs, phase: index }))
export const indexOf = (subject: TelemetrySubject): number => Number.parseInt(subject.id, 10) || 0
export const attribute = (subject: TelemetrySubject, name: string): string | undefined => subject.attributes?.[name]
