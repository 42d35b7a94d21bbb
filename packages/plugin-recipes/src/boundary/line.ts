import type { Noise, SizedSite } from '../evidence/evidence.js'
import { tQuantile } from '../statistics/student.js'

/** A straight line through runs near the limit, and how well it is known. */
export interface Line {
  at(x: number): number
  /** Standard error of the line at a value. */
  error(x: number): number
  degrees: number
}

interface Run {
  x: number
  y: number
  /** One over the variance of its noise, in units that are the same for all. */
  weight: number
}

/** How far from the crossing runs may lie, as a factor: a long line knows its slope and its noise better, a short one bends less. */
const WINDOWS = [Infinity, 2, 1.5, 1.25, 1.12]
const LEAST_SITES = 3
const LEAST_RUNS = 4
/** A bend with a probability below this, were there none, is one. */
const BENT = 0.025

/**
 * Weighted least squares over the runs around the value where the margin crosses 0, as far from it as they do not bend.
 * Undefined: there are too few runs, or they do not lie on a rising line.
 */
export function lineThrough(sites: readonly SizedSite[], crossing: number, noise: Noise): Line | undefined {
  for (const factor of WINDOWS) {
    const near = sites.filter(({ x }) => x * factor >= crossing && x <= crossing * factor)
    const crosses = near.some(({ centre }) => centre < 0) && near.some(({ centre }) => centre >= 0)
    const runs = near.flatMap(({ x, runs: margins, size }) => margins.map((y) => ({ x, y, weight: 1 / size ** 2 })))
    if (!crosses || near.length < LEAST_SITES || runs.length < LEAST_RUNS) return undefined
    if (!isBent(runs, noise)) return fitted(runs)
  }
  return undefined
}

/** Weighted sum. */
const sum = (runs: readonly Run[], of: (run: Run, i: number) => number): number => runs.reduce((total, run, i) => total + run.weight * of(run, i), 0)

/** What is left of values after a straight line along the runs, and that line's slope and centre. */
function along(runs: readonly Run[], of: (run: Run) => number) {
  const all = sum(runs, () => 1)
  const cx = sum(runs, (r) => r.x) / all
  const centre = sum(runs, of) / all
  const spread = sum(runs, (r) => (r.x - cx) ** 2)
  const slope = sum(runs, (r) => (r.x - cx) * (of(r) - centre)) / spread
  const at = (x: number): number => centre + slope * (x - cx)
  return { all, cx, spread, slope, at, left: runs.map((r) => of(r) - at(r.x)) }
}

function fitted(runs: readonly Run[]): Line | undefined {
  const { all, cx, spread, slope, at, left } = along(runs, (r) => r.y)
  if (!(slope > 0)) return undefined
  const degrees = runs.length - 2
  const variance = sum(runs, (_, i) => left[i]! ** 2) / degrees
  return { at, degrees, error: (x) => Math.sqrt(variance * (1 / all + (x - cx) ** 2 / spread)) }
}

/** Whether a square term beside the line is more than noise. */
function isBent(runs: readonly Run[], { deviation, degrees }: Noise): boolean {
  const { cx, left: y } = along(runs, (r) => r.y)
  const { left: square } = along(runs, (r) => (r.x - cx) ** 2)
  const size = sum(runs, (_, i) => square[i]! ** 2)
  if (size === 0) return false
  const bend = sum(runs, (_, i) => square[i]! * y[i]!) / size
  return Math.abs(bend) * Math.sqrt(size) > tQuantile(1 - BENT, degrees) * deviation
}
