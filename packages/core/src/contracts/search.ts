import type { Json, JsonObject } from './dataset.js'
import type { MetricResult } from './result.js'
import type { RunModel } from './run.js'

/** A point of a sweep or search: values by path below `benchmark`, e.g. `phases.profiling.concurrency`. */
export type Point = Readonly<Record<string, Json>>

/** One finished run at a point. */
export interface Trial {
  point: Point
  /** Of all profiling phases together; empty when the run failed. */
  metrics: ReadonlyMap<string, MetricResult>
  verdict: 'valid' | 'suspect' | 'invalid'
  /** Why the run gave no usable result. */
  failed?: string
  directory: string
}

/** One point of a sweep, with its name where it has one. */
export interface Cell {
  name?: string
  point: Point
}

/** Points that are known before the first run. */
export interface Sweep {
  kind: 'sweep'
  cells: readonly Cell[]
  /** Values of every run besides those of its point, e.g. objectives of a good request. */
  fixed?: Point
  /** What a point must keep to count as best or Pareto optimal. */
  constraints?: readonly Constraint[]
  /** Axes of the Pareto front; throughput against tail latency when not given. */
  pareto?: readonly Objective[]
  /** Written before the first run, by name. */
  files?: Readonly<Record<string, JsonObject>>
  /** What a person should know of these points. */
  notices?: readonly string[]
}

/** A statistic of a metric, in its display unit, that is to be large or small. */
export interface Objective {
  tag: string
  stat: string
  direction: 'maximize' | 'minimize'
  /** Reference point of a search with several objectives: worse values count for nothing. */
  threshold?: number
}

/** A statistic of a metric, in its display unit, that must stay within a limit. A missing value breaks it. */
export interface Constraint {
  tag: string
  stat: string
  op: '<' | '<=' | '>' | '>=' | '=='
  threshold: number
}

/** A number that a search varies: its path below `benchmark`, and its bounds, both included. */
export interface Dimension {
  path: string
  low: number
  high: number
  integer: boolean
  /** Equal ratios are equal steps. */
  log?: boolean
}

/** One of several service levels that are searched for at once. */
export interface Tier {
  label: string
  constraints: readonly Constraint[]
}

/** Points that are chosen one after the other by what the runs before gave. */
export interface Search {
  kind: 'search'
  planner: string
  plannerOptions: JsonObject
  dimensions: readonly Dimension[]
  objectives: readonly Objective[]
  constraints: readonly Constraint[]
  tiers?: readonly Tier[]
  fixed: Point
  /** Runs of points, at most; repetitions of a point count. */
  maxIterations: number
}

/** What a recipe may look at. */
export interface RecipeBase {
  /** The run as it would be without the recipe. */
  model: RunModel
  /** Comma lists, by path, of options that the recipe's manifest names under `lists`. */
  lists: Readonly<Record<string, readonly Json[]>>
  /** Service levels that the user wants side by side; a recipe's own limits hold for all of them. */
  tiers: readonly Tier[]
}

/** Facts of a planner in its package's manifest. */
export interface PlannerMeta {
  description: string
  /** It can look for several service levels side by side. */
  tiers?: boolean
}

/** Facts of a recipe in its package's manifest. */
export interface RecipeMeta {
  description: string
  /** Its results are best seen: plots are drawn at the end unless the user says otherwise. */
  autoPlot?: boolean
  /** Paths whose comma lists the recipe takes over; other lists beside a recipe are refused. */
  lists?: readonly string[]
}

/** All runs at one point. */
export interface PointResult extends Cell {
  trials: readonly Trial[]
}

/** Says what to look for. */
export interface SearchRecipe<Options = unknown> {
  /** Throws a `ConfigurationError` for what only it can know to be wrong. */
  expand(options: Options, base: RecipeBase): Sweep | Search
  /** Files made of all points: JSON documents by file name. */
  report?(points: readonly PointResult[], options: Options): Record<string, JsonObject>
  /** What all points come to, in lines for the screen. */
  findings?(points: readonly PointResult[], options: Options): readonly string[]
}

/** What a planner wants next: a run at a point, or the end. */
export type Ask =
  | {
      kind: 'point'
      point: Point
      /** Warm-up before the point, at its own load; undefined: as the run says. */
      warmupSeconds?: number
    }
  /** `reason` is a stable word, e.g. `monotonic_precision_reached`. */
  | { kind: 'done'; reason: string }

/** What a planner made of the runs at a point. */
export interface Told {
  /** Whether the point keeps every constraint, by all that is known of it; undefined: not decided yet. */
  feasible: boolean | undefined
  /** The result contradicts what was known: more load, better latency. */
  nonMonotonic: boolean
}

/** Says where to look next. Deterministic: the same results lead to the same questions, so a search can be resumed. */
export interface SearchPlanner {
  /** The same answer until `tell` is called. */
  ask(): Ask
  /** All runs at the point asked for, failed ones among them. */
  tell(point: Point, trials: readonly Trial[]): Told
  /** What was found so far: keys of the search's history file (`boundary_summary`, `best_trials`, `tier_results`…). */
  summary(): JsonObject
  /** All that `restore` needs to go on as if nothing had happened. */
  snapshot(): JsonObject
  restore(snapshot: JsonObject): void
}

/** One of several repeated runs, as a convergence criterion sees it. */
export interface RepeatedRun {
  /** The watched statistic; undefined: the run has none. */
  value: number | undefined
  /** The metric's values of every request; empty unless the criterion's manifest says `needsSamples`. */
  sample: ArrayLike<number>
}

/** Facts of a criterion in its package's manifest. */
export interface CriterionMeta {
  description: string
  /** Values of single requests are read for it. */
  needsSamples?: boolean
}

/** Decides whether repeated runs agree. */
export interface ConvergenceCriterion {
  converged(runs: readonly RepeatedRun[]): { converged: boolean; detail: JsonObject }
}
