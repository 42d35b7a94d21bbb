import type { Evidence } from '../evidence/evidence.js'
import { tQuantile } from '../statistics/student.js'
import type { MarginCurve } from './curve.js'
import type { Line } from './line.js'

/** The highest value that keeps the limits and the lowest that does not, as far as is known. */
export interface Bracket {
  low: number
  high: number
}

export const isNarrow = ({ low, high }: Bracket, precision: number): boolean => high - low <= 1 || (high - low) / high < precision

/** Most runs of a point when nobody says how many. */
const MOST_RUNS = 20
/** A point that only bounds the answer from above may be wrong more often: it costs the answer a step, not its truth. */
export const UPPER_ALPHA = 0.2
const UPPER_RUNS = 4
/** Runs of an answer where there is noise, whatever its neighbours say. */
const LEAST_RUNS = 2
/** Runs that a value gets to keep the limits by its own mean when the line says that it does. */
const TRIES = 3
/** Looks among which the error probability is shared out: a point is looked at again after every repetition. */
const LOOKS = 14
/** The same for the line: what it says changes little from one run to the next. */
const LINE_LOOKS = 5

/** What decides whether an answer is sure. */
export interface CertaintyOptions {
  confidence: number
  precision: number
  slaReplicates: number
}

/** Says what is sure to keep the limits, and which run would make an answer surer. */
export class Certainty {
  readonly #evidence: Evidence
  readonly #lowest: number
  readonly #highest: number

  constructor(
    evidence: Evidence,
    private readonly options: CertaintyOptions,
    range: { lowest: number; highest: number },
  ) {
    this.#evidence = evidence
    this.#lowest = range.lowest
    this.#highest = range.highest
  }

  /** Error probability of one look at the repetitions of a point. */
  get alpha(): number {
    return (1 - this.options.confidence) / LOOKS
  }
  /** How many of its standard errors the line must lie within the limit. */
  #errors(line: Line): number {
    return tQuantile(1 - (1 - this.options.confidence) / LINE_LOOKS, line.degrees)
  }
  get #most(): number {
    return this.options.slaReplicates > 0 ? this.options.slaReplicates : MOST_RUNS
  }
  isExhausted(x: number): boolean {
    return this.#evidence.runs(x) >= this.#most
  }

  /** The highest value that was run and is sure to keep the limits: by its repetitions, or by the line through what lies near. */
  answer(curve: MarginCurve): number | undefined {
    return this.#evidence.sites.findLast(({ x }) => this.passes(x, curve))?.x
  }

  passes(x: number, curve: MarginCurve): boolean {
    if (this.#evidence.passes(x, this.alpha)) return true
    return (
      this.#evidence.keepsByMean(x) &&
      this.#evidence.constraints.every((_, c) => {
        const line = curve.lineOf(c)
        return line ? line.at(x) + this.#errors(line) * line.error(x) < 0 : this.#evidence.passesOne(x, c, this.alpha)
      })
    )
  }

  /** The next run of what decides the answer, a point that is sure to keep the limits and one above it that is not; undefined: both are known. */
  next(bracket: Bracket, curve: MarginCurve): number | undefined {
    const line = curve.line(bracket.high)
    if (line) return this.#settle(bracket, curve, line)
    const answer = this.answer(curve)
    if (answer === undefined || !isNarrow({ low: answer, high: bracket.high }, this.options.precision)) {
      const x = this.#cheapest(bracket.low, answer ?? this.#lowest - 1, curve)
      if (x !== undefined) return x
    }
    const { high } = bracket
    return !this.#evidence.fails(high, UPPER_ALPHA) && this.#evidence.runs(high) < Math.min(UPPER_RUNS, this.#most) ? high : undefined
  }

  /** The value above the answer, within the precision, that the fewest further runs can make sure of; of equals the highest. */
  #cheapest(low: number, above: number, curve: MarginCurve): number | undefined {
    let best: { x: number; more: number } | undefined
    for (let x = low; x > above && x >= low * (1 - this.options.precision / 2); x--) {
      if (this.isExhausted(x)) continue
      const more = Math.max(1, this.#runsToPass(x, curve) - this.#evidence.runs(x))
      if (!best || more < best.more) best = { x, more }
    }
    return best?.x
  }

  /** Runs at a value until its mean, if the curve is right, is sure to keep the limits. */
  #runsToPass(x: number, curve: MarginCurve): number {
    const margin = curve.margin(x)
    const { deviation, degrees } = this.#evidence.noise(curve.binding(x))
    if (deviation === 0) return 1
    return margin < 0 ? Math.ceil(((tQuantile(1 - this.alpha, Math.max(1, degrees)) * deviation) / margin) ** 2) : Infinity
  }

  /**
   * With noise: a line through all runs near the limit says up to where it is sure that the limits are kept, and from where
   * on it is likely that they are not. Runs a little below the crossing, until the two lie within the precision.
   */
  #settle({ low, high }: Bracket, curve: MarginCurve, line: Line): number | undefined {
    const { precision } = this.options
    // What is more by the precision; of small loads, where one more is more than that, by more than one.
    const above = (x: number): number => Math.max(x + 2, x * (1 + precision))
    const breaks = (x: number): boolean => line.at(x) > tQuantile(1 - UPPER_ALPHA, line.degrees) * line.error(x)
    const isClose = (x: number): boolean => above(x) >= this.#highest || breaks(above(x)) || (high <= above(x) && this.#evidence.fails(high, UPPER_ALPHA / LOOKS))
    const answer = this.answer(curve)
    if (answer !== undefined && isClose(answer)) return this.#evidence.runs(answer) < LEAST_RUNS ? answer : undefined
    const root = curve.root(low, high)
    // In the middle of the values that would do as an answer: a run there counts for it twice.
    const middle = Math.min(this.#highest, Math.max(this.#lowest, Math.round(root * (1 - precision / 2))))
    const sure = this.#sureByLine(line, Math.max(this.#lowest, Math.floor(root * (1 - precision))))
    if (sure !== undefined && sure > (answer ?? 0) && isClose(sure)) {
      const x = this.#untried(sure, answer ?? 0)
      if (x !== undefined) return x
    }
    return [middle, low, high].find((x) => !this.isExhausted(x))
  }

  /** The value itself while a few runs may still show that it keeps the limits, else the next one below. */
  #untried(sure: number, above: number): number | undefined {
    for (let x = sure; x > above; x--) if (this.#evidence.runs(x) < TRIES) return x
    return undefined
  }

  /** The highest value above `from` at which the line is sure that the limits are kept. */
  #sureByLine(line: Line, from: number): number | undefined {
    const t = this.#errors(line)
    let sure: number | undefined
    for (let x = from; x <= this.#highest && line.at(x) + t * line.error(x) < 0; x++) sure = x
    return sure
  }
}
