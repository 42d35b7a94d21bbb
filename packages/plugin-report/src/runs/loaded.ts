import type { AbsentMetric, JsonObject, MetricResult, PlotRun, Verdict } from '@aiperf/core'

/** What a page says of a run besides its numbers. */
export interface RunAbout {
  /** Who measured: `AIPerf 0.1.0`. */
  program: string
  benchmarkId?: string
  /** ISO times. */
  startTime?: string
  endTime?: string
  command?: string
  endpoint: { type: string; title: string; streaming: boolean; urls: readonly string[]; models: readonly string[] }
  /** Absent for runs of programs that give none. */
  verdict?: Verdict
  complete: boolean
  incompleteReason?: string
  wasCancelled: boolean
  errors: readonly { type: string; code?: number; message: string; count: number }[]
  absent: readonly AbsentMetric[]
  /** Length of the window of all rates. */
  windowSeconds?: number
  steady?: { startSeconds: number; endSeconds: number; metrics: ReadonlyMap<string, MetricResult> }
  phases: readonly { name: string; kind: string; mode: string; seconds: number; endedBy: string; counts: Readonly<Record<string, number>> }[]
  notices: readonly string[]
  /** The manifest, or what stands for it. */
  manifest: JsonObject
}

export interface LoadedRun extends PlotRun {
  readonly about: RunAbout
  /** Set when the run is what several trials gave together. */
  readonly trials?: number
  /** Id that the runs of one sweep share. */
  readonly sweepId?: string
}

/** A run before it is told apart from others. */
export type UnlabelledRun = Omit<LoadedRun, 'label'>
