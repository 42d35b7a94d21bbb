import type { Dimension, Json, Point, Random } from '@aiperf/core'

/** A dimension of a design: bounds, or choices. */
export type DesignDimension = Dimension | { path: string; choices: readonly Json[] }

/** The value of a dimension at a share of it, 0 ≤ share < 1. Whole numbers are rounded and kept within the bounds. */
export function valueAt(dimension: DesignDimension, share: number): Json {
  if ('choices' in dimension) return dimension.choices[Math.min(dimension.choices.length - 1, Math.floor(share * dimension.choices.length))]!
  const { low, high, log, integer } = dimension
  const value = log ? Math.exp(Math.log(low) + share * (Math.log(high) - Math.log(low))) : low + share * (high - low)
  return integer ? Math.min(Math.floor(high), Math.max(Math.ceil(low), Math.round(value))) : Math.min(high, Math.max(low, value))
}

/** The share at which a value lies: the inverse of `valueAt`, but for rounding. */
export function shareOf({ low, high, log }: Dimension, value: number): number {
  return log ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) : (value - low) / (high - low)
}

export const pointAt = (dimensions: readonly DesignDimension[], shares: readonly number[]): Point => Object.fromEntries(dimensions.map((d, i) => [d.path, valueAt(d, shares[i]!)]))

/** Numbers from 0 to n − 1 in random order. */
export function permutation(n: number, random: Random): number[] {
  const order = Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = random.integer(0, i)
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}
