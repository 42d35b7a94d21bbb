import { createRandom } from '@aiperf/core'
import { describe, expect, test } from 'vitest'
import { compareRequests, compareRuns, holm } from './statistics.js'

describe('comparing runs', () => {
  test("Welch's test: t = 1.5 with 5.88 degrees", () => {
    // Variances 4 and 16 of five values each: standard error 2 for a difference of 3. Below 0 there are no ratios.
    const { isRatio, p, ratio, low, high } = compareRuns([8, 8, 10, 12, 12].map((v) => v - 40), [9, 9, 13, 17, 17].map((v) => v - 40), 0.95)
    expect(isRatio).toBe(false)
    expect(ratio).toBeCloseTo(3, 9)
    expect(p!).toBeGreaterThan(0.175)
    expect(p!).toBeLessThan(0.196)
    // The critical value is 2.459.
    expect((high - low) / 2).toBeGreaterThan(4.6)
    expect((high - low) / 2).toBeLessThan(5.2)
  })

  test('ratios: twice as much is twice as much, whichever side it stands on', () => {
    const [a, b] = [[100, 102, 98], [200, 204, 196]]
    const up = compareRuns(a, b, 0.95)
    const down = compareRuns(b, a, 0.95)
    expect(up.ratio).toBeCloseTo(2, 3)
    expect(up.ratio * down.ratio).toBeCloseTo(1, 9)
    expect(up.low).toBeLessThan(2)
    expect(up.high).toBeGreaterThan(2)
    expect(up.low).toBeGreaterThan(1.8)
  })

  test('equal runs are equal, runs without spread that differ differ', () => {
    expect(compareRuns([5, 5, 5], [5, 5, 5], 0.95)).toMatchObject({ ratio: 1, p: 1 })
    expect(compareRuns([5, 5, 5], [6, 6, 6], 0.95).p).toBe(0)
  })

  test('of comparisons of the same with the same about one in twenty is called different, and intervals hold the truth', () => {
    const random = createRandom(3, 'a/a')
    const runs = () => Array.from({ length: 4 }, () => Math.exp(random.normal(0, 0.05)))
    let called = 0
    let held = 0
    const rounds = 300
    for (let i = 0; i < rounds; i++) {
      const { p, low, high } = compareRuns(runs(), runs(), 0.95)
      if (p! < 0.05) called++
      if (low <= 1 && high >= 1) held++
    }
    expect(called / rounds).toBeLessThan(0.09)
    expect(held / rounds).toBeGreaterThan(0.91)
  })

  test('one run a side: the chance among requests, and no test', () => {
    const random = createRandom(4, 'requests')
    const sample = (mean: number) => Float64Array.from({ length: 400 }, () => mean + random.normal(0, 5))
    const average = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length
    const found = compareRequests(sample(100), sample(110), average, { a: 100, b: 110 }, 0.95)
    expect(found).toMatchObject({ covers: 'requests', p: undefined })
    expect(found.low).toBeGreaterThan(1.05)
    expect(found.high).toBeLessThan(1.15)
  })
})

test('Holm: the smallest is multiplied by all, the next by one less, never below one before', () => {
  expect(holm([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5])
  expect(holm([])).toEqual([])
})
