import type { PhaseInfo, RunResult } from '@aiperf/core'

/** What an outlet drew during a phase. */
export interface OutletEnergy {
  phase: string
  outlet: string
  /** J over the phase. */
  joules: number
  /** Mean W over the phase. */
  watts: number | undefined
  /** False when the borders of the phase were estimated from samples beside them. */
  exact: boolean
}

/** Energy and power by phase and outlet; empty when the meter was not read. */
export function energyOf(run: RunResult, phases: readonly PhaseInfo[] = run.manifest.phases): OutletEnergy[] {
  const rows: OutletEnergy[] = []
  for (const source of run.telemetry.filter(({ source }) => source === 'power_meter'))
    for (const { index, name, startNs, endNs } of phases) {
      const summaries = source.summarise([{ startNs, endNs, phase: index }])
      for (const { series, target, counter } of summaries) {
        if (!counter) continue
        const power = summaries.find((other) => other.gauge && other.target === target && other.series.subject?.id === series.subject?.id)
        rows.push({ phase: name, outlet: series.subject?.name ?? '', joules: counter.total, watts: power?.gauge?.avg, exact: counter.exact })
      }
    }
  return rows
}

/** J of all outlets per output token of the profiling phases; undefined when either is not known. */
export function joulesPerToken(run: RunResult): number | undefined {
  const profiling = energyOf(run, run.manifest.phases.filter(({ kind }) => kind === 'profiling'))
  const tokens = run.profiling.metrics.get('output_sequence_length')?.sum
  return profiling.length === 0 || !tokens ? undefined : profiling.reduce((sum, { joules }) => sum + joules, 0) / tokens
}
