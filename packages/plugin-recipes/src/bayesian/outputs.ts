import type { Constraint, Objective, Trial } from '@aiperf/core'
import { marginOf, statistic } from '../evidence/margin.js'
import { mean } from '../statistics/student.js'
import { fitProcess, type KnownNoise } from '../gaussian/fit.js'
import type { GaussianProcess } from '../gaussian/process.js'

/** A point of the unit cube with all its runs. */
export interface Visit {
  shares: readonly number[]
  trials: readonly Trial[]
}

/** A quantity over the space: its process, and how its standard units relate to what was measured. */
export interface Output {
  process: GaussianProcess
  /** From standard units to those of `transform`. */
  centre: number
  scale: number
}

/** Ratios beyond this (20-fold) tell nothing more, of an objective those beyond 100-fold. */
const FARTHEST = 3
const WORST = Math.log(100)

/** An objective as a number that is to be large: its logarithm where it is always positive, so that noise is even. */
export function objectiveValues(visits: readonly Visit[], objective: Objective): { values: (number | undefined)[][]; log: boolean } {
  const raw = visits.map(({ trials }) => trials.map((trial) => statistic(trial, objective)))
  const log = raw.flat().every((v) => v === undefined || v > 0)
  const sign = objective.direction === 'maximize' ? 1 : -1
  const values = raw.map((runs) => runs.map((v) => (v === undefined ? undefined : sign * (log ? Math.log(v) : v))))
  const floor = log ? Math.max(...values.flat().filter((v) => v !== undefined)) - WORST : -Infinity
  return { values: values.map((runs) => runs.map((v) => (v === undefined ? undefined : Math.max(v, floor)))), log }
}

/** How far each run is from its limit, below 0 within: the logarithm of their ratio where both are positive. */
export function slackValues(visits: readonly Visit[], constraint: Constraint): number[][] {
  const { threshold, op } = constraint
  const raw = visits.map(({ trials }) => trials.map((trial) => statistic(trial, constraint)))
  const ratios = threshold > 0 && op !== '==' && raw.flat().every((v) => v === undefined || v > 0)
  const upper = op === '<' || op === '<='
  const one = (v: number | undefined): number => {
    if (v === undefined) return FARTHEST
    const slack = ratios ? (upper ? Math.log(v / threshold) : Math.log(threshold / v)) : marginOf(v, constraint)
    return Math.max(-FARTHEST, Math.min(FARTHEST, slack))
  }
  return raw.map((runs) => runs.map(one))
}

/** Fits a process to the means of the points that have a value. */
export function outputOf(visits: readonly Visit[], values: readonly (readonly (number | undefined)[])[], before?: Output): Output | undefined {
  const known = visits.map(({ shares }, i) => ({ shares, runs: values[i]!.filter((v) => v !== undefined) })).filter(({ runs }) => runs.length > 0)
  if (known.length < 2) return undefined
  const means = known.map(({ runs }) => mean(runs))
  const centre = mean(means)
  const scale = Math.sqrt(mean(means.map((m) => (m - centre) ** 2))) || 1
  let squares = 0
  let degrees = 0
  for (const { runs } of known) {
    const m = mean(runs)
    squares += runs.reduce((sum, v) => sum + ((v - m) / scale) ** 2, 0)
    degrees += runs.length - 1
  }
  const noise: KnownNoise = { variance: degrees === 0 ? 0 : squares / degrees, degrees }
  return { process: fitProcess({ x: known.map((k) => k.shares), y: means.map((m) => (m - centre) / scale), runs: known.map((k) => k.runs.length) }, noise, before?.process.hyper), centre, scale }
}

/** Mean and deviation of a quantity at points, in the units of its transform. */
export function predict({ process, centre, scale }: Output, points: readonly (readonly number[])[]): { mean: number[]; deviation: number[] } {
  const { mean: m, variance } = process.posterior(points)
  return { mean: m.map((v) => centre + scale * v), deviation: variance.map((v) => scale * Math.sqrt(v)) }
}
