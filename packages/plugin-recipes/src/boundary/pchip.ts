/**
 * A curve through points that rises and falls only where they do: piecewise cubic Hermite interpolation with the slopes of
 * Fritsch and Butland (1984). `x` ascends strictly; at least two points.
 */
export function pchip(x: readonly number[], y: readonly number[]): (at: number) => number {
  const n = x.length
  const h = x.slice(1).map((b, i) => b - x[i]!)
  const secant = y.slice(1).map((b, i) => (b - y[i]!) / h[i]!)
  const slope = x.map((_, i) => {
    if (n === 2) return secant[0]!
    if (i === 0) return edge(h[0]!, h[1]!, secant[0]!, secant[1]!)
    if (i === n - 1) return edge(h[n - 2]!, h[n - 3]!, secant[n - 2]!, secant[n - 3]!)
    const [a, b] = [secant[i - 1]!, secant[i]!]
    if (a * b <= 0) return 0
    const [w1, w2] = [2 * h[i]! + h[i - 1]!, h[i]! + 2 * h[i - 1]!]
    return (w1 + w2) / (w1 / a + w2 / b)
  })
  return (at) => {
    let i = x.findIndex((right, k) => k > 0 && at <= right) - 1
    if (i < 0) i = at <= x[0]! ? 0 : n - 2
    const t = (at - x[i]!) / h[i]!
    const [t2, t3] = [t * t, t * t * t]
    return (2 * t3 - 3 * t2 + 1) * y[i]! + (t3 - 2 * t2 + t) * h[i]! * slope[i]! + (-2 * t3 + 3 * t2) * y[i + 1]! + (t3 - t2) * h[i]! * slope[i + 1]!
  }
}

/** Slope at an end: of the parabola through three points, kept from bending the wrong way. */
function edge(h0: number, h1: number, d0: number, d1: number): number {
  const slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
  if (slope * d0 <= 0) return 0
  return d0 * d1 <= 0 && Math.abs(slope) > 3 * Math.abs(d0) ? 3 * d0 : slope
}

/** Where a rising curve crosses 0 between two points, by bisection. */
export function root(curve: (at: number) => number, low: number, high: number): number {
  let [a, b] = [low, high]
  for (let i = 0; i < 80 && b - a > 1e-9 * Math.max(1, Math.abs(b)); i++) {
    const middle = (a + b) / 2
    if (curve(middle) < 0) a = middle
    else b = middle
  }
  return (a + b) / 2
}
