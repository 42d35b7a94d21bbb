import type { Dimension, Random } from '@aiperf/core'
import { shareOf, valueAt } from '../design/dimension.js'
import { Sobol } from '../design/sobol.js'

type Shares = readonly number[]

const MOST_LISTED = 2048
const SPREAD = 512
const AROUND = 24

/** Shares as the values they round to lie at: two candidates that are one point are one. */
export const rounded = (dimensions: readonly Dimension[], shares: Shares): number[] => dimensions.map((d, i) => (d.integer ? shareOf(d, valueAt(d, shares[i]!) as number) : Math.min(1, Math.max(0, shares[i]!))))

/** Points to choose from: all of them where they can be listed, else spread over the space and around the good ones. */
export function candidates(dimensions: readonly Dimension[], good: readonly Shares[], random: Random): number[][] {
  const [only] = dimensions
  if (dimensions.length === 1 && only!.integer && only!.high - only!.low < MOST_LISTED) {
    const values: number[][] = []
    for (let v = Math.ceil(only!.low); v <= only!.high; v++) values.push([shareOf(only!, v)])
    return values
  }
  const sobol = new Sobol(dimensions.length, random)
  const found = new Map<string, number[]>()
  const add = (shares: Shares) => {
    const at = rounded(dimensions, shares)
    found.set(at.map((s) => s.toFixed(9)).join(), at)
  }
  for (let i = 0; i < SPREAD; i++) add(sobol.at(i))
  for (const [rank, shares] of good.entries())
    for (let i = 0; i < AROUND; i++) {
      const width = 0.15 / (1 + (i % 4)) / (1 + rank * 0.2)
      add(shares.map((s) => Math.min(1, Math.max(0, s + random.normal(0, width)))))
    }
  for (const shares of good) add(shares)
  return [...found.values()]
}
