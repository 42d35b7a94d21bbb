import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { wilson } from './accuracy.js'

describe('the interval of a share', () => {
  it('is that of the textbook', () => {
    // (p̂ + z²/2n ± z·√(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n), worked out apart.
    expect(wilson(30, 40).map((bound) => Number(bound.toFixed(4)))).toEqual([0.5981, 0.8581])
    expect(wilson(0, 4).map((bound) => Number(bound.toFixed(4)))).toEqual([0, 0.4899])
  })
  it('holds the share, ends where a test would just refuse it, and is as wide for what is left', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 10_000 }).chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of))), ([passed, of]) => {
      const [low, high] = wilson(passed, of)
      const share = passed / of
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low <= share && share <= high).toBe(true)
      for (const bound of [low, high]) if (bound > 0 && bound < 1) expect(Math.abs(share - bound) / Math.sqrt((bound * (1 - bound)) / of)).toBeCloseTo(1.96, 3)
      const [a, b] = wilson(of - passed, of)
      expect(a).toBeCloseTo(1 - high, 10)
      expect(b).toBeCloseTo(1 - low, 10)
    }))
  })
})
