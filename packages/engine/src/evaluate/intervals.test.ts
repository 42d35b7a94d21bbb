import { describe, expect, it } from 'vitest'
import { intervalRanks, valuesNeeded } from './intervals.js'

/** P(B ≤ k) for B binomial(n, p), by summing products. */
function cumulative(n: number, p: number, k: number): number {
  let sum = 0
  for (let j = 0; j <= k; j++) {
    let log = 0
    for (let i = 0; i < j; i++) log += Math.log((n - i) / (i + 1))
    sum += Math.exp(log + j * Math.log(p) + (n - j) * Math.log1p(-p))
  }
  return sum
}

describe('confidence intervals by order statistics', () => {
  it.each([6, 35, 72, 100, 368, 1000])('cover with at least 95 %% and no rank too many, n = %i', (n) => {
    for (const q of [10, 50, 90, 95, 99]) {
      const ranks = intervalRanks(n, q)
      expect(ranks === undefined).toBe(n < valuesNeeded(q))
      if (!ranks) continue
      const [low, high] = ranks
      const p = q / 100
      // x(low) ≤ quantile ≤ x(high): between low+1 and high values lie below it.
      expect(cumulative(n, p, high) - cumulative(n, p, low)).toBeGreaterThanOrEqual(0.95 - 1e-9)
      expect(cumulative(n, p, low + 1)).toBeGreaterThan(0.025)
      expect(1 - cumulative(n, p, high - 1)).toBeGreaterThan(0.025)
    }
  })

  it('say how many values a percentile needs', () => {
    expect([50, 75, 90, 95, 99].map(valuesNeeded)).toEqual([6, 13, 36, 72, 368])
    expect(valuesNeeded(1)).toBe(valuesNeeded(99))
  })

  it('hardly change where the sum gives way to the normal approximation', () => {
    for (const q of [50, 90, 99]) {
      const [a, b] = intervalRanks(2000, q)!
      const [c, d] = intervalRanks(2001, q)!
      expect(Math.abs(a - c)).toBeLessThanOrEqual(2)
      expect(Math.abs(b - d)).toBeLessThanOrEqual(3)
    }
  })
})
