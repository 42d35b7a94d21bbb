import { AiperfError, type Ask, type Dimension, type JsonObject, type Point, type Random, type Search, type SearchPlanner, type Told, type Trial } from '@aiperf/core'
import { pointAt, shareOf } from '../design/dimension.js'
import { Sobol } from '../design/sobol.js'
import { keptTrials, readTrials } from '../evidence/kept-trials.js'
import { mean } from '../statistics/student.js'
import { noisyGain } from './acquisition.js'
import { confirming, feasibility, isRepeated, isSure } from './answer.js'
import { candidates, rounded } from './candidates.js'
import { visitOf, type BayesianOptions, type Models, type Setting } from './models.js'
import { objectiveValues, outputOf, predict, slackValues, type Visit } from './outputs.js'
import { endOf, leastGain, referenceOf } from './stopping.js'

/** Runs that are spent on making sure of the answer. */
const MOST_CONFIRMING = 12
/** No point is likely to keep the limits. */
const HOPELESS = 0.02
/** Whatever is to be gained at a point that is less likely than this to keep the limits, it is less than what counts. */
const NOT_WORTH = 1e-4

/**
 * Bayesian optimisation: a Gaussian process for each objective and each limit, and runs where the expected gain is largest.
 * When there is nothing left to gain, the best point is run again until it is sure to keep the limits.
 */
export class BayesianSearch implements SearchPlanner {
  readonly #told: { point: Point; trials: readonly Trial[] }[] = []
  readonly #initial: number[][]
  #models: Models | undefined
  /** Of the runs before the last: where the next fit begins. */
  #before: Models | undefined
  /** Since when the answer is being made sure of, and why the search for it ended. */
  #ending: { at: number; reason: string } | undefined

  constructor(
    private readonly search: Search,
    private readonly options: BayesianOptions,
    private readonly random: (name: string) => Random,
  ) {
    if (search.objectives.length === 0) throw new AiperfError('E_CONFIG', 'A Bayesian search needs an objective.', { hint: 'Give --search-metric and --search-direction.' })
    if (options.initialPoints >= search.maxIterations) throw new AiperfError('E_CONFIG', `--search-initial-points ${options.initialPoints} leaves nothing of --search-max-iterations ${search.maxIterations}.`, { hint: 'Give fewer initial points, or more iterations.' })
    const sobol = new Sobol(search.dimensions.length, search.dimensions.length === 1 ? undefined : random('initial points'))
    const seen = new Set<string>()
    this.#initial = []
    for (let i = 1; this.#initial.length < options.initialPoints && i < 1000; i++) {
      const shares = rounded(search.dimensions, sobol.at(i))
      const key = shares.join()
      if (!seen.has(key)) this.#initial.push(shares)
      seen.add(key)
    }
  }

  get #dimensions(): readonly Dimension[] {
    return this.search.dimensions
  }
  get #setting(): Setting {
    return { search: this.search, dimensions: this.search.dimensions, options: this.options }
  }

  ask(): Ask {
    if (this.#told.length >= this.search.maxIterations) return { kind: 'done', reason: 'max_iterations' }
    const next = this.#next()
    return typeof next === 'string' ? { kind: 'done', reason: next } : { kind: 'point', point: pointAt(this.#dimensions, next) }
  }

  #next(): readonly number[] | string {
    const first = this.#initial.find((shares) => !this.#told.some(({ point }) => JSON.stringify(point) === JSON.stringify(pointAt(this.#dimensions, shares))))
    if (first) return first
    const models = this.#fitted()
    if (models.objectives.length < this.search.objectives.length) return this.#anywhere()
    const points = this.#candidates(models)
    if (!feasibility(models, models.visits.map((v) => v.shares)).some((p) => p > 0.5)) return this.#towardsLimits(models, points)
    const end = this.#ending ? undefined : endOf(this.#setting, models, this.#told)
    if (end) this.#ending = { at: this.#told.length, reason: end }
    if (!this.#ending) {
      const odds = feasibility(models, points)
      const likely = points.filter((_, i) => odds[i]! > NOT_WORTH)
      const worth = likely.length > 0 ? likely : points
      const gains = noisyGain(models.objectives, models.constraints, referenceOf(this.#setting, models), worth)
      const best = gains.indexOf(Math.max(...gains))
      const scale = models.objectives[0]!.scale
      if (gains[best]! * scale > leastGain(this.#setting, models) || this.#told.length < this.options.initialPoints + this.#leastChosen) return worth[best]!
      this.#ending = { at: this.#told.length, reason: 'no_gain_expected' }
    }
    const spent = this.#told.length - this.#ending.at
    const canConfirm = this.search.constraints.length > 0 && this.search.objectives.length === 1 && spent < MOST_CONFIRMING
    return (canConfirm ? confirming(this.#setting, models, points) : undefined) ?? this.#ending.reason
  }

  /** Points that the model chooses before it may say that nothing is to be gained: in several dimensions it is sure too early. */
  get #leastChosen(): number {
    return this.#dimensions.length === 1 ? 2 : 5 * this.#dimensions.length
  }

  /** While no point is likely to keep the limits: the one that is most likely to, if any may. */
  #towardsLimits(models: Models, points: readonly (readonly number[])[]): readonly number[] | string {
    const odds = feasibility(models, points)
    const most = Math.max(...odds)
    return most < HOPELESS && this.#told.length >= this.options.initialPoints + 3 ? 'no_feasible_point' : points[odds.indexOf(most)]!
  }

  #anywhere(): readonly number[] {
    return new Sobol(this.#dimensions.length).at(this.#told.length + 1)
  }

  #candidates({ visits, objectives }: Models): number[][] {
    const good = [...visits].sort((a, b) => predict(objectives[0]!, [b.shares]).mean[0]! - predict(objectives[0]!, [a.shares]).mean[0]!).slice(0, 5)
    return candidates(this.#dimensions, good.map((v) => v.shares), this.random(`candidates ${this.#told.length}`))
  }

  #fitted(): Models {
    return (this.#models ??= this.#fit())
  }

  #fit(): Models {
    const byPoint = new Map<string, { shares: number[]; trials: Trial[] }>()
    for (const { point, trials } of this.#told) {
      const shares = this.#dimensions.map((d) => shareOf(d, point[d.path] as number))
      const key = JSON.stringify(point)
      const found = byPoint.get(key)
      if (found) found.trials.push(...trials)
      else byPoint.set(key, { shares, trials: [...trials] })
    }
    const visits = [...byPoint.values()]
    // Points without an objective come last: rows of both kinds of processes then belong to the same points.
    const has = (v: Visit) => this.search.objectives.every((o) => objectiveValues([v], o).values[0]!.some((value) => value !== undefined))
    const ordered = [...visits.filter(has), ...visits.filter((v) => !has(v))]
    const before = this.#before
    const objectives = this.search.objectives.map((o, i) => outputOf(ordered, objectiveValues(ordered, o).values, before?.objectives[i])).filter((o) => o !== undefined)
    const constraints = this.search.constraints.map((c, i) => outputOf(ordered, slackValues(ordered, c), before?.constraints[i])).filter((c) => c !== undefined)
    return (this.#before = { visits: ordered, objectives, constraints })
  }

  // Contract

  tell(point: Point, trials: readonly Trial[]): Told {
    this.#told.push({ point, trials })
    this.#models = undefined
    const free = this.search.constraints.length === 0
    if (this.#told.length < 2) return { feasible: free ? true : undefined, nonMonotonic: false }
    // Fitted after every run, whether or not somebody asks: a search that is taken up again passes through the same fits.
    const models = this.#fitted()
    if (free) return { feasible: true, nonMonotonic: false }
    const visit = visitOf(models, this.#dimensions, point)
    if (!visit) return { feasible: undefined, nonMonotonic: false }
    const [odds] = feasibility(models, [visit.shares])
    return { feasible: isSure(this.#setting, models, visit) ? true : odds! < 0.5 ? false : undefined, nonMonotonic: false }
  }

  summary(): JsonObject {
    if (this.#told.length < 2 || this.search.objectives.length > 1) return { surrogate: 'gaussian_process' }
    const models = this.#fitted()
    const [objective] = models.objectives
    if (!objective) return { surrogate: 'gaussian_process' }
    const sure = models.visits.filter((v) => isSure(this.#setting, models, v)).map((v) => ({ visit: v, value: predict(objective, [v.shares]).mean[0]! })).sort((a, b) => Number(isRepeated(b.visit)) - Number(isRepeated(a.visit)) || b.value - a.value)
    const [best] = sure
    return {
      surrogate: 'gaussian_process',
      confidence: this.options.confidence,
      ...(best ? { best_trials: [this.#described(best.visit)] } : {}),
      ...(this.#dimensions.length === 1 && this.search.constraints.length > 0 ? { boundary_summary: this.#boundary(models, best?.visit) } : {}),
    }
  }

  #described(visit: Visit): JsonObject {
    const point = pointAt(this.#dimensions, visit.shares)
    const { tag, stat } = this.search.objectives[0]!
    const values = visit.trials.flatMap((t) => {
      const v = t.metrics.get(tag)?.[stat as 'avg']
      return typeof v === 'number' ? [v] : []
    })
    return { iteration_idx: this.#told.findLastIndex((t) => JSON.stringify(t.point) === JSON.stringify(point)), variation_values: { ...point }, objective_values: [mean(values)], feasible: true, runs: visit.trials.length }
  }

  #boundary(models: Models, best: Visit | undefined): JsonObject {
    const { path } = this.#dimensions[0]!
    const value = (v: Visit) => pointAt(this.#dimensions, v.shares)[path] as number
    const odds = feasibility(models, models.visits.map((v) => v.shares))
    const broken = models.visits.filter((_, i) => odds[i]! < 0.5).sort((a, b) => value(a) - value(b)).find((v) => !best || value(v) > value(best))
    const end = (v: Visit | undefined) => (v ? { value: value(v), runs: v.trials.length } : null)
    return { swept_dim_path: path, feasible_max: best ? { ...end(best), confidence: this.options.confidence } : null, infeasible_min: end(broken) }
  }

  snapshot(): JsonObject {
    return { told: this.#told.map(({ point, trials }) => ({ point: { ...point }, trials: keptTrials(trials, this.search) })), ending: this.#ending ? { ...this.#ending } : null }
  }

  restore(snapshot: JsonObject): void {
    for (const { point, trials } of snapshot['told'] as unknown as { point: Point; trials: JsonObject[] }[]) this.tell(point, readTrials(trials, point))
    this.#ending = (snapshot['ending'] as unknown as { at: number; reason: string } | null) ?? undefined
  }
}
