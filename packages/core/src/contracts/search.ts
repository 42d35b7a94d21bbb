import type { Json, JsonObject } from './dataset.js'
import type { MetricResult } from './result.js'

/** A point of a sweep or search: values for paths of the run model. */
export type Point = Readonly<Record<string, Json>>

/** One finished run at a point. */
export interface Trial {
  point: Point
  metrics: ReadonlyMap<string, MetricResult>
  verdict: 'valid' | 'suspect' | 'invalid'
  failed?: string
  directory: string
}

export interface Sweep { kind: 'sweep'; points: readonly Point[] }
export interface Objective { tag: string; stat: string; direction: 'maximize' | 'minimize' }
export interface Constraint { tag: string; stat: string; op: '<' | '<=' | '>' | '>='; threshold: number }
export interface Dimension { path: string; low: number; high: number; integer: boolean; log?: boolean }
export interface Search {
  kind: 'search'
  planner: string
  plannerOptions: JsonObject
  dimensions: readonly Dimension[]
  objectives: readonly Objective[]
  constraints: readonly Constraint[]
  fixed: Point
}

/** Says what to look for. */
export interface SearchRecipe<Options = unknown> {
  expand(options: Options, base: JsonObject): Sweep | Search
  /** Files made of all trials. */
  report?(trials: readonly Trial[], options: Options): Record<string, JsonObject | string>
}

export type Ask = { kind: 'point'; point: Point } | { kind: 'done'; reason: string; best?: Point }

/** Says where to look next. Serialisable between points, so that a search can be resumed. */
export interface SearchPlanner {
  ask(): Ask
  tell(point: Point, trials: readonly Trial[]): void
  snapshot(): JsonObject
  restore(snapshot: JsonObject): void
}

/** Decides whether repeated runs agree. */
export interface ConvergenceCriterion {
  converged(values: readonly number[]): { converged: boolean; detail: JsonObject }
}
