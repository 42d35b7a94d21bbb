import type { PolledTarget, StreamedTarget, TelemetryTarget } from '@aiperf/core'
import type { SourceFile, TargetLog } from './append.js'
import type { Pace } from './pace.js'
import { Polling } from './polling.js'
import { Streaming } from './streaming.js'

/** A border of a phase. */
export interface Border {
  at: 'start' | 'end'
  phase: number
}

/** Samples one target, whatever it does. */
export interface Runner {
  readonly log: TargetLog
  start(): void
  /** Takes a sample for the border. Settles when it is stored, or at once when the target is not worth waiting for. */
  border(border: Border): Promise<void>
  /** Ends sampling; waits for a closing sample where one is under way. */
  stop(): Promise<void>
}

/** What a runner needs of its surroundings. */
export interface RunnerContext {
  log: TargetLog
  file: SourceFile
  pace: Pace
  now(): number
  say(level: 'debug' | 'info' | 'warn', message: string): void
}

export const createRunner = (target: TelemetryTarget, context: RunnerContext): Runner =>
  'sample' in target ? new Polling(target satisfies PolledTarget, context) : new Streaming(target satisfies StreamedTarget, context)
