import { quantile } from './quantiles.js'

const POINTS = 240
const TAIL = [0.991, 0.993, 0.995, 0.996, 0.997, 0.998, 0.999, 0.9995, 1]

/** Steps up at each of ascending values; of many values, at even shares and at the outermost ones. */
export function stairs(sorted: ArrayLike<number>): { v: number; share: number }[] {
  const n = sorted.length
  if (n === 0) return []
  if (n <= POINTS) return [{ v: sorted[0]!, share: 0 }, ...Array.from({ length: n }, (_, i) => ({ v: sorted[i]!, share: (i + 1) / n }))]
  return cumulative((share) => quantile(sorted, share))
}

/** The same from quantiles. */
export const cumulative = (at: (share: number) => number): { v: number; share: number }[] =>
  [...Array.from({ length: POINTS - TAIL.length }, (_, i) => (i / (POINTS - TAIL.length)) * 0.99), ...TAIL].map((share) => ({ v: at(share), share }))
