import type { Evidence } from '../evidence/evidence.js'
import { mean } from '../statistics/student.js'
import { isotonic } from './isotonic.js'
import { lineThrough, type Line } from './line.js'
import { pchip, root } from './pchip.js'

/** The worst margin along the dimension, as all runs together show it. */
export interface MarginCurve {
  /** Visited values, ascending, with their fitted margins. */
  xs: readonly number[]
  fitted: readonly number[]
  margin(x: number): number
  /** Where the margin becomes 0 between two visited values. */
  root(low: number, high: number): number
  /** Whether runs at the same load differ to speak of. */
  noisy: boolean
  /** The limit that decides there. */
  binding(x: number): number
  /** The line of the limit that decides there; undefined: there is no noise to speak of, or too little to lay one through. */
  line(x: number): Line | undefined
  lineOf(constraint: number): Line | undefined
}

/** A tilt that makes pooled values rise, so that a curve through them has one crossing. */
const TILT = 1e-9
/** Noise from which on a line through many runs is a better guide than a curve through each point. */
const NOISY = 0.002

/** Each limit's margins made to rise, then a curve through them; with noise, a line through the runs near the limit. */
export function marginCurve(evidence: Evidence): MarginCurve {
  const sites = evidence.sites
  const xs = sites.map((site) => site.x)
  const each = evidence.constraints.map((_, c) => {
    const fitted = isotonic(sites.map((s) => mean(s.margins[c]!)), sites.map((s) => s.margins[c]!.length)).map((m, i) => m + TILT * i)
    const curve = xs.length > 1 ? pchip(xs, fitted) : () => fitted[0]!
    const above = fitted.findIndex((m) => m >= 0)
    const noise = evidence.noise(c)
    const noisy = noise.deviation > NOISY
    const line = above > 0 && noisy ? lineThrough(evidence.near(c), root(curve, xs[above - 1]!, xs[above]!), noise) : undefined
    return { fitted, curve, line, noisy }
  })
  const worst = (values: readonly number[]): number => Math.max(...values)
  const margin = (x: number): number => worst(each.map(({ curve, line }) => line?.at(x) ?? curve(x)))
  const binding = (x: number): number => {
    const at = each.map(({ curve }) => curve(x))
    return at.indexOf(worst(at))
  }
  return {
    xs,
    noisy: each.some(({ noisy }) => noisy),
    fitted: xs.map((_, i) => worst(each.map(({ fitted }) => fitted[i]!))),
    margin,
    root: (low, high) => root(margin, low, high),
    binding,
    line: (x) => each[binding(x)]!.line,
    lineOf: (c) => each[c]!.line,
  }
}
