import { describe, expect, it } from 'vitest'
import { createRandom } from '@aiperf/core'
import { drawOf, tokensOf, type Distribution } from './distribution.js'

const COUNT = 4000
function drawn(distribution: Distribution | number | undefined, fallback = 0): number[] {
  const random = createRandom(3, 'test')
  const draw = drawOf(distribution, fallback)
  return Array.from({ length: COUNT }, () => draw(random)).sort((a, b) => a - b)
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: number[]) => values[values.length / 2]!

describe('distributions', () => {
  it('are constant for a number, a bare mean, or the fallback', () => {
    expect(new Set([...drawn(5), ...drawn({ mean: 5 }), ...drawn(undefined, 5), ...drawn({ mean: 5, stddev: 0 })])).toEqual(new Set([5]))
  })

  it('keep fractions of a standard deviation', () => {
    const values = drawn({ mean: 10, stddev: 0.5 })
    expect(Math.abs(Math.sqrt(mean(values.map((value) => (value - 10) ** 2))) - 0.5)).toBeLessThan(0.03)
  })

  it('never fall below 0', () => {
    expect(drawn({ mean: 1, stddev: 5 })[0]).toBeGreaterThanOrEqual(0)
  })

  it('are log-normal for a mean and a median', () => {
    const values = drawn({ mean: 15, median: 10 })
    expect(Math.abs(median(values) - 10)).toBeLessThan(0.6)
    expect(Math.abs(mean(values) - 15)).toBeLessThan(1.5)
  })

  it('draw peaks and points by their weights', () => {
    const peaks = drawn({ peaks: [{ mean: 10, stddev: 1, weight: 1 }, { mean: 100, stddev: 1, weight: 3 }] })
    expect(Math.abs(peaks.filter((value) => value < 50).length / COUNT - 0.25)).toBeLessThan(0.03)
    const points = drawn({ points: [{ value: 1, weight: 9 }, { value: 2 }] })
    expect(new Set(points)).toEqual(new Set([1, 2]))
    expect(Math.abs(points.filter((value) => value === 2).length / COUNT - 0.1)).toBeLessThan(0.02)
  })

  it('are kept within their limits', () => {
    const values = drawn({ mean: 10, stddev: 10, min: 5, max: 12 })
    expect([values[0], values.at(-1)]).toEqual([5, 12])
  })

  it('give whole tokens: a constant is rounded, a drawn value rounded up, at least 1', () => {
    const random = createRandom(1, 'x')
    expect([2.4, 2.5, 0.2, 0].map((value) => tokensOf(value, 0)(random))).toEqual([2, 3, 1, 1])
    expect(tokensOf({ points: [{ value: 2.2 }] }, 0)(random)).toBe(3)
  })
})
