import type { AiperfError, ArtifactDir, JsonObject, RunManifest, RunResult, Ui } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'

/** What a run is given besides its model. */
export interface MeasureContext {
  index: PluginIndex
  /** What the user set, for the manifest. */
  explicit: JsonObject
  /** The command line, secrets removed. */
  command: string
  ui: Ui
  /** Aborted when the person asks to stop. */
  interrupt: AbortSignal
  notices?: readonly string[]
  /** Where this run stands among others. */
  sweep?: NonNullable<RunManifest['sweep']>
}

/** And what a run that writes files is given. */
export interface RunContext extends MeasureContext {
  console: ArtifactDir['console']
  print(text: string): void
}

/** What became of a run. */
export interface RunOutcome {
  directory: string
  exitCode: number
  result: RunResult
  files: string[]
  /** What went wrong although results were written. */
  failures: AiperfError[]
}
