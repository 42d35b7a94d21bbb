import type { Json, JsonObject } from './dataset.js'
import type { Constraint, Objective, Point, Search, Tier } from './search.js'

/** What one point changes of the run that the user described. Plain data: it can be kept and compared. */
export interface Overlay {
  /** Values by path below `benchmark`; `variables.<name>` sets a variable of the config file. */
  values?: Point
  /** Merged over the config file's `benchmark` before it is read. */
  benchmark?: JsonObject
  /** Variables of the config file, set before its templates are rendered. */
  variables?: JsonObject
  /** Flags as on the command line; each replaces what was given for its option. */
  argv?: readonly string[]
  /** Fewest requests of a phase that says nothing of its end. */
  leastRequests?: number
}

/** One of a list of named points. */
export interface Scenario {
  name: string
  overlay: Overlay
  /** What of it is known by path: what labels and tables show. */
  values: Point
}

/** A search whose planner, space and objectives are given outright, not by a recipe. */
export type PlainSearch = Omit<Search, 'kind' | 'fixed'>

/** Where the benchmark is run: at one point, at several that are known, or at points that are searched for. */
export type Points =
  | { kind: 'one' }
  /** Lists of values by path, each with each or pair by pair. */
  | { kind: 'grid' | 'zip'; parameters: Readonly<Record<string, readonly Json[]>> }
  | { kind: 'scenarios'; scenarios: readonly Scenario[] }
  /** `lists`: comma lists that the recipe takes over. `search`: what the user wants otherwise of the search it expands to. */
  | { kind: 'recipe'; recipe: string; options: JsonObject; lists: Readonly<Record<string, readonly Json[]>>; search: { planner?: string; plannerOptions: JsonObject; maxIterations?: number } }
  | { kind: 'search'; search: PlainSearch }

/** How often a benchmark is run, and at which points. */
export interface Orchestration {
  points: Points
  repeats: {
    /** At most this many runs per point. */
    runs: number
    cooldownSeconds: number
    /** 0 to 1. */
    confidenceLevel: number
    /** Only the first run of a point warms up. */
    warmupOnce: boolean
    /** Every run has a seed of its own. */
    varySeed: boolean
    /** Fewer runs are enough when they agree. */
    convergence?: { tag: string; stat: string; criterion: string; options: JsonObject; minRuns: number }
  }
  /** All points once, then all again; or all runs of a point, then the next point. */
  order: 'repeated' | 'independent'
  /** The order of the points is drawn from the seed. */
  shuffled: boolean
  /** Between points. */
  cooldownSeconds: number
  /** Of the first point; undefined: every run draws its own. */
  baseSeed: number | undefined
  /** Of what a search draws; undefined: the base seed. */
  searchSeed?: number
  /** All points share the base seed. */
  sameSeed: boolean
  /** Limits that a point must keep, besides those of a recipe. */
  constraints: readonly Constraint[]
  /** Service levels that a search looks for side by side. */
  tiers?: readonly Tier[]
  /** Axes of the Pareto front that the user chose. */
  pareto?: readonly Objective[]
  /** How many failed runs make the whole fail: one, all of them, or this many. */
  failOn: 'any' | 'all' | number
  /** Percentiles of several runs are averaged, or computed over their requests together. */
  pooling: 'mean' | 'pooled'
  /** The table of points is shown. */
  table: boolean
  /** Go on with what an interrupted start of the same plan left. */
  resume: boolean
}

