import type { Ask, Constraint, JsonObject, Point, Search, SearchPlanner, Told, Trial } from '@aiperf/core'
import { AiperfError } from '@aiperf/core'
import { Evidence } from '../evidence/evidence.js'
import { keptTrials, readTrials } from '../evidence/kept-trials.js'
import { tQuantile } from '../statistics/student.js'
import { marginCurve, type MarginCurve } from './curve.js'
import type { Line } from './line.js'

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

/** Where the search stands between the highest value that keeps the limits and the lowest that does not. */
export interface Bracket {
  low: number
  high: number
}

/** Most runs of a point when nobody says how many. */
const MOST_RUNS = 20
/** A point that only bounds the answer from above may be wrong more often: it costs the answer a step, not its truth. */
const UPPER_ALPHA = 0.2
const UPPER_RUNS = 4
/** Runs that a value gets to keep the limits by its own mean when the line says that it does. */
const TRIES = 3
/** Part of the error probability that one look may spend: a point is looked at again after every repetition. */
const LOOKS = 12

/**
 * The highest load that keeps its limits. Doubles until they break, narrows the bracket down, then repeats what lies at its
 * ends until Student's t decides them. Everything is worked out from the runs alone, so that a search can be taken up again.
 */
export abstract class BoundarySearch implements SearchPlanner {
  protected readonly evidence: Evidence
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
  }

  // What kinds of search differ in

  /** Runs of a point before it counts for the bracket. */
  protected runsNeeded(): number {
    return 1
  }
  /** Points within the first bracket that are run in any case. */
  protected interior(_first: Bracket): readonly number[] {
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
    if (!this.#keeps(lowest)) return evidence.fails(lowest, UPPER_ALPHA) || this.#exhausted(lowest) ? 'no_pass_in_range' : lowest
    if (this.#keeps(highest)) return evidence.passes(highest, this.#alpha) || this.#exhausted(highest) ? 'no_failure_in_range' : highest
    const bracket = this.bracket()
    const curve = this.#curveNow()
    if (!curve.line(bracket.high)) for (const x of this.interior(this.#firstBracket())) if (evidence.runs(x) < this.runsNeeded()) return x
    for (const x of visited) if (evidence.runs(x) < this.runsNeeded()) return x
    if (!this.isNarrow(bracket)) return this.within(bracket, curve)
    return this.#confirm(bracket, curve)
  }

  /** Repeats what decides the answer: a point that is sure to keep the limits, and one above it that is not. */
  #confirm(bracket: Bracket, curve: MarginCurve): number | string {
    const line = curve.line(bracket.high)
    if (line) return this.#settle(bracket, curve.root(bracket.low, bracket.high), line)
    const answer = this.#surest()
    if (answer === undefined || !this.isNarrow({ low: answer, high: bracket.high })) {
      const x = this.#cheapest(bracket.low, curve)
      if (x !== undefined) return x
    }
    const { high } = bracket
    return !this.evidence.fails(high, UPPER_ALPHA) && this.evidence.runs(high) < Math.min(UPPER_RUNS, this.#most) ? high : 'precision_reached'
  }

  /** The value within the precision that the fewest further runs can make sure of; of equals the highest. */
  #cheapest(low: number, curve: MarginCurve): number | undefined {
    let best: { x: number; more: number } | undefined
    for (let x = low; x >= Math.max(this.lowest, low * (1 - this.options.precision / 2)); x--) {
      if (this.#exhausted(x)) continue
      const more = Math.max(1, this.#runsToPass(x, curve) - this.evidence.runs(x))
      if (!best || more < best.more) best = { x, more }
    }
    return best?.x
  }

  /** Runs at a value until its mean, if the curve is right, is sure to keep the limits. */
  #runsToPass(x: number, curve: MarginCurve): number {
    const margin = curve.margin(x)
    const { deviation, degrees } = this.evidence.noise(curve.binding(x))
    if (deviation === 0) return 1
    return margin < 0 ? Math.ceil(((tQuantile(1 - this.#alpha, Math.max(1, degrees)) * deviation) / margin) ** 2) : Infinity
  }

  /**
   * With noise: a line through all runs near the limit says up to where it is sure that the limits are kept, and from where
   * on it is likely that they are not. Runs on both sides of the crossing, until the two lie within the precision.
   */
  #settle({ low, high }: Bracket, root: number, line: Line): number | string {
    const { precision } = this.options
    const [below, above] = [Math.max(this.lowest, Math.floor(root * (1 - precision))), Math.min(this.highest, Math.ceil(root * (1 + precision)))]
    const breaks = (x: number) => line.at(x) - tQuantile(1 - UPPER_ALPHA, line.degrees) * line.error(x) > 0
    const isClose = (x: number) => x * (1 + precision) >= this.highest || breaks(x * (1 + precision))
    const answer = this.#surest()
    if (answer !== undefined && isClose(answer)) return 'precision_reached'
    const sure = this.#sureByLine(line, below)
    if (sure !== undefined && sure > (answer ?? 0) && isClose(sure)) {
      const x = this.#untried(sure, Math.max(answer ?? 0, below))
      if (x !== undefined) return x
    }
    const next = [below, above].filter((x) => !this.#exhausted(x) && x > 0).sort((a, b) => this.evidence.runs(a) - this.evidence.runs(b))[0]
    return next ?? (this.#exhausted(low) ? (this.#exhausted(high) ? 'precision_reached' : high) : low)
  }

  /** The value itself while a few runs may still show that it keeps the limits, else the next one below. */
  #untried(sure: number, above: number): number | undefined {
    for (let x = sure; x > above; x--) if (this.evidence.runs(x) < TRIES) return x
    return undefined
  }

  /** The highest value above `from` at which the line is sure that the limits are kept. */
  #sureByLine(line: Line, from: number): number | undefined {
    const t = tQuantile(1 - this.#alpha, line.degrees)
    let sure: number | undefined
    for (let x = from; x <= this.highest && line.at(x) + t * line.error(x) < 0; x++) sure = x
    return sure
  }

  // What the runs show

  #curveNow(): MarginCurve {
    return (this.#curve ??= marginCurve(this.evidence))
  }

  /** Error probability of one look. */
  get #alpha(): number {
    return (1 - this.options.confidence) / LOOKS
  }
  get #most(): number {
    return this.options.slaReplicates > 0 ? this.options.slaReplicates : MOST_RUNS
  }
  #exhausted(x: number): boolean {
    return this.evidence.runs(x) >= this.#most
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

  protected isNarrow({ low, high }: Bracket): boolean {
    return high - low <= 1 || (high - low) / high < this.options.precision
  }

  /** The highest value that was run and is sure to keep the limits: by its repetitions, or by the line through what lies near. */
  #surest(): number | undefined {
    const curve = this.#curveNow()
    return this.#visited().findLast((x) => this.#passes(x, curve))
  }

  #passes(x: number, curve: MarginCurve): boolean {
    if (this.evidence.passes(x, this.#alpha)) return true
    return (
      this.evidence.keepsByMean(x) &&
      this.evidence.constraints.every((_, c) => {
        const line = curve.lineOf(c)
        return line ? line.at(x) + tQuantile(1 - this.#alpha, line.degrees) * line.error(x) < 0 : this.evidence.passesOne(x, c, this.#alpha)
      })
    )
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
    const feasible = this.#passes(x, this.#curveNow()) ? true : this.evidence.fails(x, UPPER_ALPHA) || !plain ? false : undefined
    return { feasible, nonMonotonic }
  }

  summary(): JsonObject {
    return { boundary_summary: this.boundary(), confidence: this.options.confidence, non_monotonic_warning: this.#warned }
  }

  protected boundary(): JsonObject {
    const visited = this.#visited()
    const answer = this.#surest()
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
