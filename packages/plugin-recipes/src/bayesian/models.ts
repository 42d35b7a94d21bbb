import type { Dimension, Point, Search } from '@aiperf/core'
import { pointAt } from '../design/dimension.js'
import type { Output, Visit } from './outputs.js'

/** What is known after some runs. */
export interface Models {
  visits: readonly Visit[]
  objectives: readonly Output[]
  constraints: readonly Output[]
}

/** What a search is made of, for the rooms that look at its models. */
export interface Setting {
  search: Search
  dimensions: readonly Dimension[]
  options: BayesianOptions
}

export interface BayesianOptions {
  initialPoints: number
  /** Confidence with which the answer keeps its limits. */
  confidence: number
  /** Relative difference of the objective that is no difference. */
  precision: number
  improvementPatience: number
  plateauWindow: number
  plateauThreshold: number
}

export const keyOf = (point: Point): string => JSON.stringify(point)
export const visitOf = (models: Models, dimensions: readonly Dimension[], point: Point): Visit | undefined => models.visits.find((v) => keyOf(pointAt(dimensions, v.shares)) === keyOf(point))
