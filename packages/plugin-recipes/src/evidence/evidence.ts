import type { Constraint, Trial } from '@aiperf/core'
import { mean, tQuantile } from '../statistics/student.js'
import { deviationWithin, keeps, marginOf, sizeOf, statistic } from './margin.js'

/** All runs at one value of the swept option. */
export interface Site {
  x: number
  /** By constraint, then by run. */
  margins: number[][]
}

/** The runs at one value against one limit. */
export interface SizedSite {
  x: number
  runs: readonly number[]
  centre: number
  /** What the noise of a run grows with, in units of the limit. */
  size: number
}

/** Deviation of one run from another where the limit lies, in units of the limit, and the degrees of freedom it rests on. */
export interface Noise {
  deviation: number
  degrees: number
}

/** Beyond this margin a point tells nothing of the noise at the limit. */
const NEAR = 1
/** With fewer degrees of freedom than this, repetitions alone do not know the noise. */
const ENOUGH = 3

/**
 * What is known of a set of limits along one dimension along which they become harder to keep. Decides by Student's t with
 * the noise of all repetitions near the limit; where there are too few, the roughness of the points along the dimension
 * counts too, so that values that lie on a smooth line without noise need no repetition at all.
 */
export class Evidence {
  readonly #sites = new Map<number, Site>()
  readonly #within: number[][]
  /** Worked out once for all runs so far. */
  #sorted: Site[] | undefined
  #noise: (Noise | undefined)[] = []

  constructor(readonly constraints: readonly Constraint[]) {
    this.#within = constraints.map(() => [])
  }

  add(x: number, trials: readonly Trial[]): void {
    const site = this.#sites.get(x) ?? { x, margins: this.constraints.map(() => []) }
    this.#sites.set(x, site)
    this.#sorted = undefined
    this.#noise = []
    for (const trial of trials)
      for (const [c, constraint] of this.constraints.entries()) {
        const margin = marginOf(statistic(trial, constraint), constraint)
        site.margins[c]!.push(margin)
        if (Math.abs(margin) < NEAR) this.#within[c]!.push(deviationWithin(trial, constraint))
      }
  }

  /** In ascending order. */
  get sites(): Site[] {
    return (this.#sorted ??= [...this.#sites.values()].sort((a, b) => a.x - b.x))
  }

  at(x: number): Site | undefined {
    return this.#sites.get(x)
  }

  runs(x: number): number {
    return this.#sites.get(x)?.margins[0]?.length ?? 0
  }

  /** Mean margin of a constraint at a point. */
  margin(x: number, c: number): number {
    const site = this.#sites.get(x)
    return site ? mean(site.margins[c]!) : Number.NaN
  }

  /** Whether the means keep every limit: no statement about noise. */
  keepsByMean(x: number): boolean {
    return this.constraints.every((constraint, c) => keeps(this.margin(x, c), constraint))
  }

  /** The first limit that the means break. */
  breach(x: number): Constraint | undefined {
    return this.constraints.find((constraint, c) => !keeps(this.margin(x, c), constraint))
  }

  /**
   * Whether every limit is kept with confidence `1 − alpha`, by the runs at `x` and, if that helps, at the points above it:
   * what is kept under more load is kept under less.
   */
  passes(x: number, alpha: number): boolean {
    return this.constraints.every((_, c) => this.passesOne(x, c, alpha))
  }

  /** As `passes`, of one limit. */
  passesOne(x: number, c: number, alpha: number): boolean {
    const constraint = this.constraints[c]!
    let runs: number[] = []
    for (const site of this.sites) {
      if (site.x < x) continue
      runs = [...runs, ...site.margins[c]!]
      const centre = mean(runs)
      const bound = this.#bound(c, runs.length, alpha)
      if (bound === 0 ? keeps(centre, constraint) : centre + bound < 0) return true
      if (!(centre < 0)) return false
    }
    return false
  }

  /** Whether some limit is broken with confidence `1 − alpha`, by the runs at `x` and at the points below it. */
  fails(x: number, alpha: number): boolean {
    return this.constraints.some((constraint, c) => {
      const below = this.sites.filter((site) => site.x <= x).reverse()
      let runs: number[] = []
      for (const site of below) {
        runs = [...runs, ...site.margins[c]!]
        const centre = mean(runs)
        const bound = this.#bound(c, runs.length, alpha)
        if (bound === 0 ? !keeps(centre, constraint) : centre - bound > 0) return true
        if (!(centre > 0)) return false
      }
      return false
    })
  }

  #bound(c: number, runs: number, alpha: number): number {
    const { deviation, degrees } = this.noise(c)
    if (degrees === 0) return UNKNOWN_NOISE / Math.sqrt(runs)
    return deviation < NOISELESS ? 0 : (tQuantile(1 - alpha, degrees) * deviation) / Math.sqrt(runs)
  }

  noise(c: number): Noise {
    return (this.#noise[c] ??= this.#noiseOf(c))
  }

  /** What is near a limit, with the size that its noise grows with. */
  near(c: number): SizedSite[] {
    const constraint = this.constraints[c]!
    return this.sites
      .map(({ x, margins }) => ({ x, runs: margins[c]!, centre: mean(margins[c]!) }))
      .filter(({ centre }) => Math.abs(centre) < NEAR)
      .map((site) => ({ ...site, size: sizeOf(site.centre, constraint) }))
  }

  #noiseOf(c: number): Noise {
    const near = this.near(c)
    let squares = 0
    let degrees = 0
    for (const { runs, centre, size } of near) {
      squares += runs.reduce((sum, m) => sum + ((m - centre) / size) ** 2, 0)
      degrees += runs.length - 1
    }
    if (degrees < ENOUGH) {
      const rough = roughness(near)
      squares += rough.squares
      degrees += rough.degrees
    }
    const within = this.#within[c]!
    const least = within.length === 0 ? 0 : Math.sqrt(mean(within.map((d) => d * d)))
    const found = degrees === 0 ? 0 : Math.sqrt(squares / degrees)
    return degrees === 0 && least > 0 ? { deviation: least, degrees: WITHIN_DEGREES } : { deviation: Math.max(found, least), degrees }
  }
}

/** What a single run's own interval counts for when there is nothing else. */
const WITHIN_DEGREES = 2
/** What a single run may be wrong by, before anything is known of the noise. */
const UNKNOWN_NOISE = 0.25
/** Deviations below this are rounding. */
const NOISELESS = 1e-9

/** Median of the square of a standard normal variable. */
const MEDIAN_SQUARE = 0.4549
/** A median tells of as much as a third of its values. */
const MEDIAN_DEGREES = 3

/**
 * Squared distances of points from the line between their neighbours, scaled to the deviation of one run (Gasser and others
 * 1986). Their median counts: where a curve has a kink, a few points lie far off although there is no noise.
 */
function roughness(points: readonly SizedSite[]): { squares: number; degrees: number } {
  const squares: number[] = []
  for (let i = 1; i + 1 < points.length; i++) {
    const [a, b, c] = [points[i - 1]!, points[i]!, points[i + 1]!]
    const weight = (c.x - b.x) / (c.x - a.x)
    const distance = b.centre - weight * a.centre - (1 - weight) * c.centre
    const spread = ({ size, runs }: SizedSite): number => size ** 2 / runs.length
    squares.push(distance ** 2 / (spread(b) + weight ** 2 * spread(a) + (1 - weight) ** 2 * spread(c)))
  }
  if (squares.length === 0) return { squares: 0, degrees: 0 }
  const median = squares.sort((a, b) => a - b)[Math.floor(squares.length / 2)]!
  const degrees = Math.ceil(squares.length / MEDIAN_DEGREES)
  return { squares: (degrees * median) / MEDIAN_SQUARE, degrees }
}
