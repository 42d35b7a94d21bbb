import { mean } from '../statistics/student.js'

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
}

/** How near to the limit runs must be to count, wide windows first: a long line knows its slope better. */
const WINDOWS = [0.35, 0.2, 0.1]
const LEAST_SITES = 3
const LEAST_RUNS = 4
/** A bend this many standard errors from none makes the window narrower. */
const BENT = 2

/** Least squares over the runs near the limit, as far from it as they lie on a line; undefined where they are too few or do not rise. */
export function lineThrough(sites: readonly { x: number; runs: readonly number[] }[]): Line | undefined {
  let found: Line | undefined
  for (const window of WINDOWS) {
    const near = sites.filter(({ runs }) => Math.abs(mean(runs)) < window)
    const runs = near.flatMap(({ x, runs: margins }) => margins.map((y) => ({ x, y })))
    if (near.length < LEAST_SITES || runs.length < LEAST_RUNS) break
    const line = fitted(runs)
    if (!line) continue
    found = line
    if (near.length === LEAST_SITES || Math.abs(bend(runs)) < BENT) break
  }
  return found
}

function fitted(runs: readonly Run[]): Line | undefined {
  const n = runs.length
  const [cx, cy] = [mean(runs.map((r) => r.x)), mean(runs.map((r) => r.y))]
  const spread = runs.reduce((sum, r) => sum + (r.x - cx) ** 2, 0)
  const slope = runs.reduce((sum, r) => sum + (r.x - cx) * (r.y - cy), 0) / spread
  if (!(slope > 0)) return undefined
  const at = (x: number): number => cy + slope * (x - cx)
  const variance = runs.reduce((sum, r) => sum + (r.y - at(r.x)) ** 2, 0) / (n - 2)
  return { at, degrees: n - 2, error: (x) => Math.sqrt(variance * (1 / n + (x - cx) ** 2 / spread)) }
}

/** Student's t of the square term beside a line: what is left of it after the line is what counts. */
function bend(runs: readonly Run[]): number {
  const n = runs.length
  if (n < LEAST_RUNS) return 0
  const cx = mean(runs.map((r) => r.x))
  const residual = (values: readonly number[]): number[] => {
    const centre = mean(values)
    const spread = runs.reduce((sum, r) => sum + (r.x - cx) ** 2, 0)
    const slope = runs.reduce((sum, r, i) => sum + (r.x - cx) * (values[i]! - centre), 0) / spread
    return values.map((v, i) => v - centre - slope * (runs[i]!.x - cx))
  }
  const square = residual(runs.map((r) => (r.x - cx) ** 2))
  const y = residual(runs.map((r) => r.y))
  const size = square.reduce((sum, q) => sum + q * q, 0)
  if (size === 0) return 0
  const factor = square.reduce((sum, q, i) => sum + q * y[i]!, 0) / size
  const left = y.reduce((sum, v, i) => sum + (v - factor * square[i]!) ** 2, 0) / (n - 3)
  return left === 0 ? 0 : factor / Math.sqrt(left / size)
}
