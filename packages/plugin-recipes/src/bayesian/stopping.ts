import type { Point, Trial } from '@aiperf/core'
import { hypervolume } from '../gaussian/hypervolume.js'
import { mean } from '../statistics/student.js'
import { feasibility } from './answer.js'
import { visitOf, type Models, type Setting } from './models.js'
import { objectiveValues, predict } from './outputs.js'

type Told = readonly { point: Point; trials: readonly Trial[] }[]

/** Growth of the dominated volume that counts as none. */
const NO_GROWTH = 1e-6

/** Why a search ends although points are left: nothing better for long, or all alike. */
export function endOf(setting: Setting, models: Models, told: Told): string | undefined {
  const { search, options } = setting
  const { improvementPatience, plateauWindow, plateauThreshold } = options
  const history = historyOf(setting, models, told)
  const step = search.objectives.length > 1 ? NO_GROWTH : 0
  if (history.length > improvementPatience && Math.max(...history.slice(-improvementPatience)) <= Math.max(...history.slice(0, -improvementPatience)) + step) return 'improvement_patience'
  if (search.objectives.length === 1 && history.length >= plateauWindow) {
    const last = history.slice(-plateauWindow)
    const centre = mean(last)
    if (centre !== 0 && Math.sqrt(mean(last.map((v) => (v - centre) ** 2))) / Math.abs(centre) < plateauThreshold) return 'plateau_cv'
  }
  return undefined
}

/** Value of the objective at every feasible iteration; of several, the volume they have come to dominate. */
function historyOf({ search, dimensions }: Setting, models: Models, told: Told): number[] {
  const odds = new Map(feasibility(models, models.visits.map((v) => v.shares)).map((p, i) => [models.visits[i]!, p]))
  const feasible = told.filter(({ point }) => odds.get(visitOf(models, dimensions, point)!)! > 0.5)
  const signed = (trials: readonly Trial[]) => search.objectives.map((objective) => mean(objectiveValues([{ shares: [], trials }], objective).values[0]!.filter((v) => v !== undefined)))
  const values = feasible.map(({ trials }) => signed(trials)).filter((v) => v.every(Number.isFinite))
  if (search.objectives.length === 1) return values.map(([v]) => v!)
  const reference = search.objectives.map((_, k) => Math.min(...values.map((v) => v[k]!)) - 1e-9)
  return values.map((_, i) => hypervolume(values.slice(0, i + 1), reference))
}

/** Share of the range by which the ends of a front may lie beyond what was seen. */
const BEYOND = 0.5

/** What objectives must exceed to count, in standard units: the threshold, else so much worse than the worst seen that the ends of the front count. */
export function referenceOf({ search }: Setting, { objectives, visits }: Models): number[] {
  return search.objectives.map((objective, k) => {
    const output = objectives[k]!
    const { log } = objectiveValues(visits, objective)
    const sign = objective.direction === 'maximize' ? 1 : -1
    if (objective.threshold !== undefined && !(log && objective.threshold <= 0)) return (sign * (log ? Math.log(objective.threshold) : objective.threshold) - output.centre) / output.scale
    const { y } = output.process.data
    return Math.min(...y) - BEYOND * (Math.max(...y) - Math.min(...y))
  })
}

/** A gain below this is none: a tenth of the precision, of several objectives a thousandth of the volume. */
export function leastGain({ search, options }: Setting, { objectives, visits }: Models): number {
  const [objective] = objectives
  if (objectives.length > 1) return 1e-3 * objective!.scale
  const { log } = objectiveValues(visits, search.objectives[0]!)
  const best = Math.max(...visits.map((v) => predict(objective!, [v.shares]).mean[0]!))
  return (options.precision / 10) * (log ? 1 : Math.abs(best))
}
