import { AiperfError, type Ask, type Dimension, type JsonObject, type Point, type Random, type Search, type SearchPlanner, type Told, type Trial } from '@aiperf/core'
import { pointAt, shareOf, valueAt } from '../design/dimension.js'
import { Sobol } from '../design/sobol.js'
import { keptTrials, readTrials } from '../evidence/kept-trials.js'
import { hypervolume } from '../gaussian/hypervolume.js'
import { normalCdf, normalQuantile } from '../statistics/normal.js'
import { mean } from '../statistics/student.js'
import { noisyGain } from './acquisition.js'
import { candidates, rounded } from './candidates.js'
import { objectiveValues, outputOf, predict, slackValues, type Output, type Visit } from './outputs.js'

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

/** Part of the error probability that one look may spend. */
const LOOKS = 8
/** Further runs that a point may need to be sure of. */
const PLANNED_RUNS = 6
/** Runs that are spent on making sure of the answer. */
const MOST_CONFIRMING = 12
/** No point is likely to keep the limits. */
const HOPELESS = 0.02

interface Models {
  visits: readonly Visit[]
  objectives: readonly Output[]
  constraints: readonly Output[]
}

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
    const odds = this.#feasibility(models, points)
    if (this.search.constraints.length > 0 && Math.max(...odds) < HOPELESS && this.#told.length >= this.options.initialPoints + 3) return 'no_feasible_point'
    this.#ending ??= this.#ended(models)
    if (!this.#ending) {
      const gains = noisyGain(models.objectives, models.constraints, this.#reference(models), points)
      const best = gains.indexOf(Math.max(...gains))
      const scale = models.objectives[0]!.scale
      if (gains[best]! * scale > this.#leastGain(models) || this.#told.length < this.options.initialPoints + 2) return points[best]!
      this.#ending = { at: this.#told.length, reason: 'no_gain_expected' }
    }
    return this.#confirm(models, points) ?? this.#ending.reason
  }

  /** A gain below this is none: a fifth of the precision, of several objectives a thousandth of the volume. */
  #leastGain(models: Models): number {
    if (models.objectives.length > 1) return 1e-3 * models.objectives[0]!.scale
    const { log } = objectiveValues(models.visits, this.search.objectives[0]!)
    const best = Math.max(...models.visits.map((v) => predict(models.objectives[0]!, [v.shares]).mean[0]!))
    return (this.options.precision / 10) * (log ? 1 : Math.abs(best))
  }

  #anywhere(): readonly number[] {
    return new Sobol(this.#dimensions.length).at(this.#told.length + 1)
  }

  #candidates({ visits, objectives }: Models): number[][] {
    const good = [...visits].sort((a, b) => predict(objectives[0]!, [b.shares]).mean[0]! - predict(objectives[0]!, [a.shares]).mean[0]!).slice(0, 5)
    return candidates(this.#dimensions, good.map((v) => v.shares), this.random(`candidates ${this.#told.length}`))
  }

  // When it ends

  #ended(models: Models): { at: number; reason: string } | undefined {
    const at = this.#told.length
    const { improvementPatience, plateauWindow, plateauThreshold } = this.options
    const history = this.#history(models)
    if (history.length > improvementPatience && Math.max(...history.slice(-improvementPatience)) <= Math.max(...history.slice(0, -improvementPatience)) + this.#patienceStep(models)) return { at, reason: 'improvement_patience' }
    if (this.search.objectives.length === 1 && history.length >= plateauWindow) {
      const last = history.slice(-plateauWindow)
      const centre = mean(last)
      if (centre !== 0 && Math.sqrt(mean(last.map((v) => (v - centre) ** 2))) / Math.abs(centre) < plateauThreshold) return { at, reason: 'plateau_cv' }
    }
    return undefined
  }

  #patienceStep({ objectives }: Models): number {
    return objectives.length > 1 ? 1e-6 : 0
  }

  /** Value of the objective at every feasible iteration; of several, the volume they have come to dominate. */
  #history(models: Models): number[] {
    const odds = this.#feasibility(models, models.visits.map((v) => v.shares))
    const isFeasible = (point: Point) => odds[models.visits.findIndex((v) => JSON.stringify(pointAt(this.#dimensions, v.shares)) === JSON.stringify(point))]! > 0.5
    const feasible = this.#told.filter(({ point }) => isFeasible(point))
    const signed = (trials: readonly Trial[]) => this.search.objectives.map((objective) => mean(objectiveValues([{ shares: [], trials }], objective).values[0]!.filter((v) => v !== undefined)))
    const values = feasible.map(({ trials }) => signed(trials)).filter((v) => v.every(Number.isFinite))
    if (this.search.objectives.length === 1) return values.map(([v]) => v!)
    const reference = this.search.objectives.map((_, k) => Math.min(...values.map((v) => v[k]!)) - 1e-9)
    return values.map((_, i) => hypervolume(values.slice(0, i + 1), reference))
  }

  /** What objectives must exceed to count, in standard units: the threshold, else a little worse than the worst seen. */
  #reference({ objectives, visits }: Models): number[] {
    return this.search.objectives.map((objective, k) => {
      const output = objectives[k]!
      const { log } = objectiveValues(visits, objective)
      const sign = objective.direction === 'maximize' ? 1 : -1
      if (objective.threshold !== undefined && !(log && objective.threshold <= 0)) return (sign * (log ? Math.log(objective.threshold) : objective.threshold) - output.centre) / output.scale
      const { y } = output.process.data
      return Math.min(...y) - 0.05 * (Math.max(...y) - Math.min(...y))
    })
  }

  // The answer

  /** A run that makes the answer surer; undefined: it is sure, or cannot be made so. */
  #confirm(models: Models, points: readonly (readonly number[])[]): readonly number[] | undefined {
    if (this.search.constraints.length === 0 || this.search.objectives.length > 1 || this.#told.length - this.#ending!.at >= MOST_CONFIRMING) return undefined
    const objective = predict(models.objectives[0]!, points).mean
    const target = this.#reachable(models, points, objective)
    if (!target) return undefined
    const sure = models.visits.filter((visit) => this.#isSure(models, visit)).map((visit) => ({ visit, value: predict(models.objectives[0]!, [visit.shares]).mean[0]! }))
    const { log } = objectiveValues(models.visits, this.search.objectives[0]!)
    const tolerance = (this.options.precision / 4) * (log ? 1 : Math.abs(target.value))
    const isGood = sure.some(({ visit, value }) => value >= target.value - tolerance && this.#isNear(visit.shares, target.shares))
    return isGood ? undefined : target.shares
  }

  /** Whether two values of a single dimension are one within the precision; of several dimensions the objective alone counts. */
  #isNear(a: readonly number[], b: readonly number[]): boolean {
    const [only, ...others] = this.#dimensions
    if (!only || others.length > 0) return true
    const [x, y] = [a, b].map((shares) => valueAt(only, shares[0]!) as number)
    return Math.abs(x! - y!) <= Math.max(1, (this.options.precision / 2) * Math.max(Math.abs(x!), Math.abs(y!)))
  }

  /** The best point that a few more runs would make sure of. */
  #reachable({ constraints }: Models, points: readonly (readonly number[])[], objective: readonly number[]): { shares: readonly number[]; value: number } | undefined {
    const z = normalQuantile(1 - this.#alpha)
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

  get #alpha(): number {
    return (1 - this.options.confidence) / LOOKS
  }

  #isSure({ constraints }: Models, visit: Visit): boolean {
    return constraints.every((c) => {
      const { mean: m, deviation } = predict(c, [visit.shares])
      return normalCdf(-m[0]! / deviation[0]!) >= 1 - this.#alpha
    })
  }

  /** Probability that all limits are kept. */
  #feasibility({ constraints }: Models, points: readonly (readonly number[])[]): number[] {
    const each = constraints.map((c) => predict(c, points))
    return points.map((_, i) => each.reduce((p, { mean: m, deviation }) => p * normalCdf(-m[i]! / deviation[i]!), 1))
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
    const visit = models.visits.find((v) => JSON.stringify(pointAt(this.#dimensions, v.shares)) === JSON.stringify(point))
    if (!visit) return { feasible: undefined, nonMonotonic: false }
    const [odds] = this.#feasibility(models, [visit.shares])
    return { feasible: this.#isSure(models, visit) ? true : odds! < 0.5 ? false : undefined, nonMonotonic: false }
  }

  summary(): JsonObject {
    if (this.#told.length < 2 || this.search.objectives.length > 1) return { surrogate: 'gaussian_process' }
    const models = this.#fitted()
    const [objective] = models.objectives
    if (!objective) return { surrogate: 'gaussian_process' }
    const sure = models.visits.filter((v) => this.#isSure(models, v)).map((v) => ({ visit: v, value: predict(objective, [v.shares]).mean[0]! })).sort((a, b) => b.value - a.value)
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
    const odds = this.#feasibility(models, models.visits.map((v) => v.shares))
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
