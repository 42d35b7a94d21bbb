import type { Ask, Constraint, JsonObject, Point, Search, SearchPlanner, Told, Trial } from '@aiperf/core'
import { AiperfError } from '@aiperf/core'
import { Evidence } from '../evidence/evidence.js'
import { keptTrials, readTrials } from '../evidence/kept-trials.js'
import { statistic } from '../evidence/margin.js'
import { mean } from '../statistics/student.js'
import { Certainty, isNarrow, UPPER_ALPHA, type Bracket } from './certainty.js'
import { marginCurve, type MarginCurve } from './curve.js'

/** How a boundary is looked for along one whole-number dimension. */
export interface BoundaryOptions {
  /** Confidence with which the answer keeps its limits. */
  confidence: number
  /** Relative width of the bracket at which the search ends. */
  precision: number
  /** Runs of one point at most; 0: as many as its noise asks for, up to 20. */
  slaReplicates: number
  /** Warm-up of a point's first run and of its repetitions, seconds; 0: as the run says. */
  slaWarmupSeconds: number
}

/**
 * The highest load that keeps its limits. Doubles until they break, narrows the bracket down, then repeats what lies at its
 * ends until Student's t decides them. Everything is worked out from the runs alone, so that a search can be taken up again.
 */
export abstract class BoundarySearch implements SearchPlanner {
  protected readonly evidence: Evidence
  protected readonly certainty: Certainty
  protected readonly path: string
  protected readonly lowest: number
  protected readonly highest: number
  readonly #told: { x: number; trials: readonly Trial[] }[] = []
  #warned = false
  /** Of the runs so far. */
  #curve: MarginCurve | undefined

  protected constructor(
    protected readonly name: string,
    protected readonly search: Search,
    protected readonly options: BoundaryOptions,
    constraints: readonly Constraint[] = search.constraints,
  ) {
    const [dimension, ...others] = search.dimensions
    if (!dimension || others.length > 0 || !dimension.integer) throw new AiperfError('E_CONFIG', `The planner ${name} searches one dimension of whole numbers, this search has ${search.dimensions.map((d) => `${d.path} (${d.integer ? 'int' : 'real'})`).join(', ')}.`, { hint: 'Give one --search-space path:lo,hi:int, or another planner.' })
    if (constraints.length === 0) throw new AiperfError('E_CONFIG', `The planner ${name} looks for where limits break; there are none.`, { hint: 'Give --search-sla metric:stat:lt:threshold.' })
    this.path = dimension.path
    this.lowest = Math.ceil(dimension.low)
    this.highest = Math.floor(dimension.high)
    this.evidence = new Evidence(constraints)
    this.certainty = new Certainty(this.evidence, options, { lowest: this.lowest, highest: this.highest })
  }

  // What kinds of search differ in

  /** Runs of a point before it counts for the bracket. */
  protected runsNeeded(): number {
    return 1
  }
  /** Points within the first bracket that are run while they lie within what is left of it. */
  protected interior(_first: Bracket, _noisy: boolean): readonly number[] {
    return []
  }
  /** A value strictly within the bracket. */
  protected abstract within(bracket: Bracket, curve: MarginCurve): number

  // The search

  ask(): Ask {
    if (this.#told.length >= this.search.maxIterations) return { kind: 'done', reason: 'max_iterations' }
    const found = this.#next()
    if (typeof found === 'string') return { kind: 'done', reason: `${this.name}_${found}` }
    const { slaWarmupSeconds } = this.options
    return { kind: 'point', point: { [this.path]: found }, ...(slaWarmupSeconds > 0 ? { warmupSeconds: slaWarmupSeconds } : {}) }
  }

  /** The next value, or why there is none. */
  #next(): number | string {
    const { evidence, lowest, highest } = this
    for (const rung of this.#ladder()) {
      if (evidence.runs(rung) < this.runsNeeded()) return rung
      if (!this.#keeps(rung)) break
    }
    const visited = this.#visited()
    if (!this.#keeps(lowest)) return evidence.fails(lowest, UPPER_ALPHA) || this.certainty.isExhausted(lowest) ? 'no_pass_in_range' : lowest
    if (this.#keeps(highest)) return evidence.passes(highest, this.certainty.alpha) || this.certainty.isExhausted(highest) ? 'no_failure_in_range' : highest
    const bracket = this.bracket()
    const curve = this.#curveNow()
    if (!curve.line(bracket.high)) for (const x of this.interior(this.#firstBracket(), curve.noisy)) if (x > bracket.low && x < bracket.high && evidence.runs(x) < this.runsNeeded()) return x
    for (const x of visited) if (evidence.runs(x) < this.runsNeeded()) return x
    if (!this.isNarrow(bracket)) return this.within(bracket, curve)
    return this.certainty.next(bracket, curve) ?? 'precision_reached'
  }

  // What the runs show

  #curveNow(): MarginCurve {
    return (this.#curve ??= marginCurve(this.evidence))
  }

  #visited(): number[] {
    return this.evidence.sites.map((site) => site.x)
  }

  /** Whether the runs, made to rise with the load, keep the limits at a visited value. */
  #keeps(x: number): boolean {
    const { fitted, xs } = this.#curveNow()
    const at = xs.indexOf(x)
    // Pooling only where runs contradict one another: a value that touches its limit is judged as it is.
    return Math.abs(fitted[at]! - this.#plain(x)) < 1e-6 ? this.evidence.keepsByMean(x) : fitted[at]! < 0
  }
  #plain(x: number): number {
    return Math.max(...this.evidence.constraints.map((_, c) => this.evidence.margin(x, c)))
  }

  /** lo, 2 lo, 4 lo … hi. */
  #ladder(): number[] {
    const rungs: number[] = []
    for (let x = this.lowest; x < this.highest; x *= 2) rungs.push(x)
    return [...rungs, this.highest]
  }

  #firstBracket(): Bracket {
    const rungs = this.#ladder()
    const broken = rungs.findIndex((x) => this.evidence.runs(x) > 0 && !this.#keeps(x))
    return { low: rungs[broken - 1]!, high: rungs[broken]! }
  }

  protected bracket(): Bracket {
    const visited = this.#visited()
    const broken = visited.findIndex((x) => !this.#keeps(x))
    return { low: visited[broken - 1]!, high: visited[broken]! }
  }

  /** Relative width of what is still open; 1 while nothing has broken the limits. */
  width(): number {
    const { low, high } = this.bracket()
    return low === undefined || high === undefined ? 1 : (high - low) / high
  }

  protected isNarrow(bracket: Bracket): boolean {
    return isNarrow(bracket, this.options.precision)
  }

  // Contract

  tell(point: Point, trials: readonly Trial[]): Told {
    const x = point[this.path] as number
    const before = this.evidence.sites.length > 0 ? { kept: this.#visited().filter((v) => this.#keeps(v)), broken: this.#visited().filter((v) => !this.#keeps(v)) } : { kept: [], broken: [] }
    this.evidence.add(x, trials)
    this.#curve = undefined
    this.#told.push({ x, trials })
    const plain = this.evidence.keepsByMean(x)
    const nonMonotonic = (plain && before.broken.some((v) => v < x)) || (!plain && before.kept.some((v) => v > x))
    if (nonMonotonic) this.#warned = true
    const feasible = this.certainty.passes(x, this.#curveNow()) ? true : this.evidence.fails(x, UPPER_ALPHA) || !plain ? false : undefined
    return { feasible, nonMonotonic }
  }

  summary(): JsonObject {
    const answer = this.evidence.sites.length > 0 ? this.certainty.answer(this.#curveNow()) : undefined
    return { boundary_summary: this.boundary(), ...(answer === undefined ? {} : { best_trials: [this.#best(answer)] }), confidence: this.options.confidence, non_monotonic_warning: this.#warned }
  }

  /** The answer as an entry of the history's best points. */
  #best(x: number): JsonObject {
    const trials = this.#told.filter((t) => t.x === x).flatMap((t) => t.trials)
    const values = this.search.objectives.map((objective) => trials.flatMap((trial) => statistic(trial, objective) ?? []))
    return {
      iteration_idx: this.#told.findLastIndex((t) => t.x === x),
      variation_values: { [this.path]: x },
      objective_values: values.map((all) => (all.length === 0 ? null : mean(all))),
      feasible: true,
      runs: trials.length,
    }
  }

  protected boundary(): JsonObject {
    const visited = this.#visited()
    const answer = this.certainty.answer(this.#curveNow())
    const above = visited.find((x) => !this.#keeps(x) && (answer === undefined || x > answer))
    const iteration = (x: number) => this.#told.findLastIndex((t) => t.x === x)
    const curve = visited.length > 0 ? this.#curveNow() : undefined
    const breach = above === undefined ? undefined : this.evidence.breach(above)
    const binding = curve && above !== undefined ? this.evidence.constraints[curve.binding(above)] : undefined
    return {
      swept_dim_path: this.path,
      feasible_max: answer === undefined ? null : { value: answer, iteration_idx: iteration(answer), runs: this.evidence.runs(answer), confidence: this.options.confidence },
      infeasible_min: above === undefined ? null : { value: above, iteration_idx: iteration(above), runs: this.evidence.runs(above), first_breach: breach ? `${breach.tag} ${breach.stat} ${breach.op} ${breach.threshold}` : null },
      ...(binding ? { binding_constraint: `${binding.tag} ${binding.stat} ${binding.op} ${binding.threshold}` } : {}),
      ...(curve && answer !== undefined && above !== undefined ? { boundary_estimate: curve.root(answer, above), boundary_ci: [answer, above] } : {}),
    }
  }

  snapshot(): JsonObject {
    return { told: this.#told.map(({ x, trials }) => ({ x, trials: keptTrials(trials, this.search) })) }
  }

  restore(snapshot: JsonObject): void {
    for (const { x, trials } of snapshot['told'] as unknown as { x: number; trials: JsonObject[] }[]) {
      const point = { [this.path]: x }
      this.tell(point, readTrials(trials, point))
    }
  }
}
