import { valueAt } from '../design/dimension.js'
import { normalCdf, normalQuantile } from '../statistics/normal.js'
import type { Models, Setting } from './models.js'
import { objectiveValues, predict, type Visit } from './outputs.js'

type Points = readonly (readonly number[])[]

/** Part of the error probability that one look may spend. */
const LOOKS = 16
/** Runs of an answer, whatever its neighbours say. */
const LEAST_RUNS = 2
export const isRepeated = ({ trials }: Visit): boolean => trials.length >= LEAST_RUNS
/** Further runs that a point may need to be sure of. */
const PLANNED_RUNS = 6

const alphaOf = ({ options }: Setting): number => (1 - options.confidence) / LOOKS

/** Whether a visited point is sure to keep all limits. */
export function isSure(setting: Setting, { constraints }: Models, visit: Visit): boolean {
  return constraints.every((c) => {
    const { mean: m, deviation } = predict(c, [visit.shares])
    return normalCdf(-m[0]! / deviation[0]!) >= 1 - alphaOf(setting)
  })
}

/** Probability that all limits are kept. */
export function feasibility({ constraints }: Models, points: Points): number[] {
  const each = constraints.map((c) => predict(c, points))
  return points.map((_, i) => each.reduce((p, { mean: m, deviation }) => p * normalCdf(-m[i]! / deviation[i]!), 1))
}

/** A point whose next run makes the answer surer; undefined: it is sure, or cannot be made so. */
export function confirming(setting: Setting, models: Models, points: Points): readonly number[] | undefined {
  const { search, options } = setting
  const [objective] = models.objectives
  const target = reachable(setting, models, points, predict(objective!, points).mean)
  if (!target) return undefined
  const sure = models.visits.filter((visit) => isSure(setting, models, visit)).map((visit) => ({ visit, value: predict(objective!, [visit.shares]).mean[0]! }))
  const { log } = objectiveValues(models.visits, search.objectives[0]!)
  const tolerance = (options.precision / 4) * (log ? 1 : Math.abs(target.value))
  const good = sure.filter(({ visit, value }) => value >= target.value - tolerance && isNear(setting, visit.shares, target.shares)).sort((a, b) => b.visit.trials.length - a.visit.trials.length || b.value - a.value)
  const [best] = good
  if (!best) return target.shares
  return isRepeated(best.visit) ? undefined : best.visit.shares
}

/** Whether two values of a single dimension are one within the precision; of several dimensions the objective alone counts. */
function isNear({ dimensions, options }: Setting, a: readonly number[], b: readonly number[]): boolean {
  const [only, ...others] = dimensions
  if (!only || others.length > 0) return true
  const [x, y] = [a, b].map((shares) => valueAt(only, shares[0]!) as number)
  return Math.abs(x! - y!) <= Math.max(1, (options.precision / 2) * Math.max(Math.abs(x!), Math.abs(y!)))
}

/** The best point that a few more runs would make sure of. */
function reachable(setting: Setting, { constraints }: Models, points: Points, objective: readonly number[]): { shares: readonly number[]; value: number } | undefined {
  const z = normalQuantile(1 - alphaOf(setting))
  const slacks = constraints.map((c) => ({ ...predict(c, points), noise: c.scale * Math.sqrt(c.process.hyper.noise) }))
  let best: { shares: readonly number[]; value: number } | undefined
  for (const [i, shares] of points.entries()) {
    const reached = slacks.every(({ mean: m, deviation, noise }) => {
      const after = noise === 0 ? 0 : Math.sqrt(1 / (1 / deviation[i]! ** 2 + PLANNED_RUNS / noise ** 2))
      return m[i]! + z * after < 0
    })
    if (reached && (!best || objective[i]! > best.value)) best = { shares, value: objective[i]! }
  }
  return best
}
