import { fisherF2 } from './student.js'

/**
 * Joint confidence region of two means (Hotelling's T²), as an ellipse of `vertices` points. Undefined for
 * fewer than four pairs: of three the region is so large that it says nothing. */
export function meanEllipse(xs: readonly number[], ys: readonly number[], level: number, vertices = 64): { x: number; y: number }[] | undefined {
  const n = xs.length
  if (n < 4 || ys.length !== n) return undefined
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / n
  const [mx, my] = [mean(xs), mean(ys)]
  const covariance = (a: readonly number[], ma: number, b: readonly number[], mb: number): number => a.reduce((sum, v, i) => sum + (v - ma) * (b[i]! - mb), 0) / (n - 1)
  const [vx, vy, cxy] = [covariance(xs, mx, xs, mx), covariance(ys, my, ys, my), covariance(xs, mx, ys, my)]
  const size = Math.sqrt(((2 * (n - 1)) / (n * (n - 2))) * fisherF2(level, n - 2))
  // Cholesky factor of the covariance turns a circle into the region.
  const a = Math.sqrt(vx)
  const b = a > 0 ? cxy / a : 0
  const c = Math.sqrt(Math.max(0, vy - b * b))
  return Array.from({ length: vertices + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices
    const [u, v] = [size * Math.cos(angle), size * Math.sin(angle)]
    return { x: mx + a * u, y: my + b * u + c * v }
  })
}
