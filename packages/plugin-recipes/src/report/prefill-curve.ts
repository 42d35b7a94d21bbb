import type { PointResult } from '@aiperf/core'
import { Matrix, solve } from 'ml-matrix'
import { mean } from '../statistics/student.js'
import { along } from './values.js'

/** A line that explains less than this share of the variation is no good fit. */
const FLOOR = 0.85

export type Curve = {
  metric: string
  stat: string
  fit_form: 'linear' | 'quadratic' | null
  /** From the highest power down. */
  coefficients: number[]
  r_squared: number | null
  below_floor: boolean
  raw_points: { x: number; y: number | null }[]
}

/** Time to first token as a line over the input length, or a parabola where a line is no good and the parabola is better. */
export function prefillCurve(points: readonly PointResult[], path: string): Curve {
  const of = { tag: 'time_to_first_token', stat: 'avg' }
  const raw = along(points, path, of)
  const known = raw.filter((p): p is { x: number; y: number } => p.y !== undefined)
  const rawPoints = raw.map(({ x, y }) => ({ x, y: y ?? null }))
  if (known.length < 2) return { metric: of.tag, stat: of.stat, fit_form: null, coefficients: [], r_squared: null, below_floor: true, raw_points: rawPoints }
  const line = polynomial(known, 1)
  const parabola = line.rSquared < FLOOR && known.length >= 3 ? polynomial(known, 2) : undefined
  const best = parabola && parabola.rSquared > line.rSquared ? parabola : line
  return { metric: of.tag, stat: of.stat, fit_form: best === line ? 'linear' : 'quadratic', coefficients: best.coefficients, r_squared: best.rSquared, below_floor: best.rSquared < FLOOR, raw_points: rawPoints }
}

const POWERS = ['', ' × tokens', ' × tokens²']

export function curveText({ fit_form, coefficients, r_squared, below_floor }: Curve): string {
  if (fit_form === null) return 'No curve: fewer than two points have a time to first token'
  const terms = [...coefficients].reverse().map((c, power) => `${c.toPrecision(3)}${POWERS[power]}`)
  return `TTFT in ms ≈ ${terms.join(' + ')} (R² ${r_squared!.toFixed(4)}${below_floor ? ', no good fit' : ''})`
}

/** Least squares; coefficients from the highest power down. */
function polynomial(points: readonly { x: number; y: number }[], degree: number): { coefficients: number[]; rSquared: number } {
  // Lengths are large numbers: powers of shares of the largest one keep the equations well conditioned.
  const scale = Math.max(...points.map((p) => Math.abs(p.x))) || 1
  const powers = Array.from({ length: degree + 1 }, (_, i) => degree - i)
  const a = new Matrix(points.map((p) => powers.map((k) => (p.x / scale) ** k)))
  const found = solve(a, Matrix.columnVector(points.map((p) => p.y)), true).to1DArray()
  const centre = mean(points.map((p) => p.y))
  const residual = points.reduce((sum, p) => sum + (p.y - found.reduce((at, c, i) => at + c * (p.x / scale) ** powers[i]!, 0)) ** 2, 0)
  const total = points.reduce((sum, p) => sum + (p.y - centre) ** 2, 0)
  return { coefficients: found.map((c, i) => c / scale ** powers[i]!), rSquared: total === 0 ? 1 : 1 - residual / total }
}
