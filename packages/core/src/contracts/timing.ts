import type { Random } from './random.js'
import type { DatasetSampler, JsonObject } from './dataset.js'
import type { Problem } from '../errors.js'

/** One session that is to start. */
export interface Arrival {
  /** ns from the start of the phase; never before the previous arrival. */
  dueNs: number
  /** Dataset index of the session; absent: the sampler chooses. */
  session?: number
  /** Turn to begin with (from 0), when not the first: the turns before it are neither sent nor part of the history. */
  firstTurn?: number
  /** Turns to play, when fewer than the session has from `firstTurn` on. */
  turns?: number
  /** A user number for reports (user-centric mode). */
  user?: number
  /** No session: the plan may change before it knows more. Draw again at `dueNs`. Only in plans with `adapt`. */
  pause?: true
}

/**
 * When new sessions are due.
 * - `asap`: as soon as a session slot is free (closed loop);
 * - `timed`: by a generator of arrivals, drawn lazily; undefined ends it. When the plan has `adapt`, an arrival is drawn
 *   only when the one before it is due, so that a change of the rate meets the arrivals that are still to come.
 */
export type Arrivals = { kind: 'asap' } | { kind: 'timed'; next(): Arrival | undefined }

/**
 * When the next turn of a session may go.
 * - `after-reply`: recorded delay after the reply returned;
 * - `takes-arrival`: after reply and delay it joins a queue that has precedence over new sessions and takes the next
 *   arrival's place, so that the configured rate is a rate of requests;
 * - `schedule`: at its own time stamp on the trace's clock, or after its delay, whichever the turn has, not before the reply;
 * - `every`: a fixed gap after the session's previous due time, not before the reply (recorded delays are ignored).
 */
export type NextTurn =
  | { kind: 'after-reply' }
  | { kind: 'takes-arrival' }
  | { kind: 'schedule'; zeroMs: number }
  | { kind: 'every'; gapNs: number }

/** A limit over time: from `atNs` on the limit is `value`. Ascending, first entry at 0. */
export type Steps = readonly { atNs: number; value: number }[]

/**
 * What a timing mode decides. A plan is pure data and generators: executing it is the engine's work.
 * The schedule is the same whatever the number of workers.
 */
export interface LoadPlan {
  arrivals: Arrivals
  nextTurn: NextTurn
  limits: {
    /** Sessions in flight. Absent: no limit. */
    sessions?: Steps
    /** Requests before their first token. Absent: no limit. */
    prefill?: Steps
  }
  /** `sample`: sessions from the sampler, for ever; `each-once`: the arrivals name every session. */
  sessions: 'sample' | 'each-once'
  /** What becomes of an arrival that finds no session slot: waits (`queue`) or is counted and dropped (`skip`). */
  overload: 'queue' | 'skip'
  /** Counts that follow from the plan itself (a trace's length) and replace the phase's stop counts. */
  totals?: { requests: number; sessions: number }
  /** Requests per second the plan asks for, at a time, for reports; absent for closed loop. */
  offeredRate?(atNs: number): number
  /** Feedback: the plan changes with what is measured. Called by the control plane only. */
  adapt?: Adaptive
}

/** What the control plane measured in one assessment window. */
export interface WindowStats {
  index: number
  startNs: number
  endNs: number
  /** Requests that ended, the failed ones among them. */
  completed: number
  errors: number
  /** Values of metric `tag` in display unit: `avg`, `p50`, `p90`, `p95`, `p99`, … ; absent when nothing was measured. */
  value(tag: string, stat: string): number | undefined
}

/** What a plan decides at the end of a window. */
export interface Adaptation {
  /** New value of the control variable; absent: unchanged. */
  value?: number
  /** Requests dispatched before this time do not count in later windows. */
  countFromNs?: number
  /** Ends the phase with this outcome. */
  stop?: 'complete' | 'failed' | 'incomplete'
  /** A line for the event log. */
  event: JsonObject
}

/** A control loop over one variable, asked every `windowNs`. Pure: the same windows lead to the same decisions. */
export interface Adaptive {
  /** `sessions` and `prefill` are limits that the engine sets; `rate` and `users` change the arrivals, by the plan itself. */
  variable: 'sessions' | 'prefill' | 'rate' | 'users'
  initial: number
  windowNs: number
  /** Called once for each window, in order. */
  assess(window: WindowStats): Adaptation
  /** What was found, for the files of the run. */
  summary(): JsonObject
}

/** What a planner may know of the dataset. */
export interface PlanDataset {
  /** Number of sessions. */
  readonly size: number
  turns(session: number): number
  /** Time stamp of a turn, ms; undefined when it has none. */
  timestampMs(session: number, turn: number): number | undefined
  id(session: number): string
}

/** The phase as the user asked for it: stop conditions and cross-mode limits. */
export interface PhaseRequest {
  name: string
  kind: 'warmup' | 'profiling'
  requests?: number
  sessions?: number
  durationNs?: number
}

/** What a timing mode plans from. */
export interface TimingContext<Options> {
  options: Options
  phase: PhaseRequest
  dataset: PlanDataset
  /** Which session the n-th arrival of this phase plays, for plans that must know it ahead. Without `Arrival.session` the
   * engine asks the same sampler. */
  sampler: DatasetSampler
  /** Random stream by name; streams of different phases differ. */
  random(name: string): Random
  /** Arrival patterns and ramps that `uses` named. */
  pattern(name: string): ArrivalPattern
  ramp(name: string): Ramp
}

/** Plans a phase. Pure: no clock, no state between calls; every thread makes the same plan for itself. */
export interface TimingMode<Options = unknown> {
  /** Contributions this mode needs for these options; the host activates them before `plan`. */
  uses?(options: Options): { arrival_pattern?: readonly string[]; ramp?: readonly string[] }
  /** Rules between options that a schema cannot say, all broken ones at once. `plan` expects that there are none. */
  check?(options: Options, phase: PhaseRequest): readonly Problem[]
  plan(context: TimingContext<Options>): LoadPlan
}

/** What a timing mode declares in its manifest entry (`meta`). */
export interface TimingMeta {
  description: string
  /**
   * Option keys (dotted) that select this mode: by the flag that this mode declares for the key, or by the key itself in a
   * config file when no other mode has it; a value of `false` does not. Empty: the mode of a phase that selects no other.
   * Absent: selected by name only.
   */
  selectedBy?: readonly string[]
  /** Lower goes first when several modes are selected. */
  precedence?: number
  /** Phase types of config files that mean this mode besides its own name, with the options each implies. */
  types?: Readonly<Record<string, JsonObject>>
}

/**
 * The law of the gaps between arrivals, as a unit-rate process: gaps have mean 1. The planner maps them through the
 * integrated rate, so that expected counts are exact while the rate changes (time-rescaling theorem).
 */
export interface ArrivalPattern {
  /** `gap`: the gap before the first arrival is drawn too; `zero`: the first arrival is at once. */
  start: 'gap' | 'zero'
  /** `smoothness`: gamma shape; `burst`: arrivals per burst, for patterns that come in bursts. */
  gaps(random: Random, options: { smoothness?: number; burst?: number }): () => number
}

/** A curve from 0 to 1. */
export interface Ramp {
  /** Progress of the value at progress `s` of the time, both in [0, 1]; at(0)=0 and at(1)=1, never falling. */
  curve(random: Random, options: { exponent?: number; range: number; seconds: number }): {
    at(s: number): number
    /** Time progress at which the value progress `p` is reached. */
    inverse(p: number): number
  }
}
