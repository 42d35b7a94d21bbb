import type { Random } from '@aiperf/core'
import { permutation } from './dimension.js'

export type Optimization = 'random-cd' | 'lloyd' | null

/** Swaps that are tried, and operations that they may cost in all. */
const SWAPS = 2000
const EFFORT = 4e7
const LLOYD_ROUNDS = 10
const LLOYD_POINTS = 64

/** Points in [0, 1)^dimensions with one in each of `samples` strata of every dimension (McKay and others 1979). */
export function latinHypercube(samples: number, dimensions: number, random: Random, { scramble, optimization }: { scramble: boolean; optimization: Optimization }): number[][] {
  const columns = Array.from({ length: dimensions }, () => permutation(samples, random).map((stratum) => (stratum + (scramble ? random.next() : 0.5)) / samples))
  const points = Array.from({ length: samples }, (_, i) => columns.map((column) => column[i]!))
  if (optimization === 'random-cd' && dimensions > 1) spreadBySwaps(points, random)
  if (optimization === 'lloyd') spreadByCells(points, random)
  return points
}

/** Swaps coordinates of two points where that lowers the centred discrepancy: the strata stay as they are. */
function spreadBySwaps(points: number[][], random: Random): void {
  const [n, d] = [points.length, points[0]!.length]
  let least = centredDiscrepancy(points)
  const tries = Math.min(SWAPS, Math.floor(EFFORT / (n * n * d)))
  for (let i = 0; i < tries; i++) {
    const [a, b, k] = [random.integer(0, n - 1), random.integer(0, n - 1), random.integer(0, d - 1)]
    const swap = () => ([points[a]![k], points[b]![k]] = [points[b]![k]!, points[a]![k]!])
    swap()
    const now = centredDiscrepancy(points)
    if (now < least) least = now
    else swap()
  }
}

/** Squared centred L2 discrepancy (Hickernell 1998). */
export function centredDiscrepancy(points: readonly (readonly number[])[]): number {
  const [n, d] = [points.length, points[0]!.length]
  let single = 0
  let pairs = 0
  for (const p of points) {
    let product = 1
    for (let k = 0; k < d; k++) {
      const a = Math.abs(p[k]! - 0.5)
      product *= 1 + 0.5 * a - 0.5 * a * a
    }
    single += product
    for (const q of points) {
      let both = 1
      for (let k = 0; k < d; k++) both *= 1 + 0.5 * Math.abs(p[k]! - 0.5) + 0.5 * Math.abs(q[k]! - 0.5) - 0.5 * Math.abs(p[k]! - q[k]!)
      pairs += both
    }
  }
  return (13 / 12) ** d - (2 / n) * single + pairs / (n * n)
}

/** Moves every point to the middle of what lies nearest to it, a few times (Lloyd 1982), by random points. */
function spreadByCells(points: number[][], random: Random): void {
  const d = points[0]!.length
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    const sums = points.map(() => ({ at: new Array<number>(d).fill(0), count: 0 }))
    for (let i = 0; i < LLOYD_POINTS * points.length; i++) {
      const x = Array.from({ length: d }, () => random.next())
      let nearest = 0
      let distance = Infinity
      for (const [j, p] of points.entries()) {
        const square = p.reduce((sum, v, k) => sum + (v - x[k]!) ** 2, 0)
        if (square < distance) [nearest, distance] = [j, square]
      }
      const cell = sums[nearest]!
      cell.count++
      for (let k = 0; k < d; k++) cell.at[k]! += x[k]!
    }
    for (const [j, { at, count }] of sums.entries()) if (count > 0) points[j] = at.map((v) => v / count)
  }
}
