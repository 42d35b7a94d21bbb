import type { RepeatedRun } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import ciWidth from './ci-width.js'
import cv from './cv.js'
import distribution from './distribution.js'
import { kolmogorovSmirnov } from './statistics/kolmogorov.js'
import { tQuantile } from './statistics/student.js'

const random = (): never => {
  throw new Error('draws nothing')
}
const judge = async (criterion: typeof cv, options: object, runs: readonly RepeatedRun[]) => (await criterion.create({ options, random } as never)).converged(runs)
const values = (...all: number[]): RepeatedRun[] => all.map((value) => ({ value, sample: [] }))

test.each([
  // Tables of Student's t: level, degrees of freedom, two-sided critical value.
  [0.95, 1, 12.7062], [0.95, 2, 4.3027], [0.95, 4, 2.7764], [0.95, 9, 2.2622], [0.95, 30, 2.0423], [0.99, 4, 4.6041], [0.9, 10, 1.8125], [0.999, 3, 12.924],
])('critical value of t at level %d with %i degrees is %d', (level, degrees, expected) => {
  expect(tQuantile(1 - (1 - level) / 2, degrees)).toBeCloseTo(expected, 3)
})

describe('two samples by Kolmogorov and Smirnov', () => {
  const ramp = (n: number, from = 0) => Array.from({ length: n }, (_, i) => from + i)

  test.each([
    // Exact two-sided probabilities of distances of at least k/n for equal samples: the table of Massey (1952).
    [5, 4, 0.0794], [5, 5, 0.0079], [8, 4, 0.2827], [8, 5, 0.0870], [10, 6, 0.0524], [10, 7, 0.0123],
  ])('samples of %i at distance %i/n: p = %d', (n, steps, expected) => {
    const { distance, p } = kolmogorovSmirnov(ramp(n), ramp(n, steps - 0.5))
    expect(distance).toBeCloseTo(steps / n, 12)
    expect(p).toBeCloseTo(expected, 3)
  })

  test('large samples: the limit, as its table has it', () => {
    // Kolmogorov's distribution: 5 % lie above λ = 1.3581, 1 % above 1.6276.
    for (const [lambda, expected] of [[1.3581, 0.05], [1.6276, 0.01]] as const) {
      const n = 100_000
      const shift = Math.round((lambda / Math.sqrt(n / 2)) * n)
      expect(kolmogorovSmirnov(ramp(n), ramp(n, shift - 0.5)).p).toBeCloseTo(expected, 3)
    }
  })

  test('symmetric, between 0 and 1, and 1 for a sample against itself', () => {
    const sample = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const { distance, p } = kolmogorovSmirnov(a, b)
        expect(kolmogorovSmirnov(b, a)).toEqual({ distance, p: expect.closeTo(p, 9) as number })
        expect(p).toBeGreaterThanOrEqual(0)
        expect(p).toBeLessThanOrEqual(1)
        expect(kolmogorovSmirnov(a, a)).toEqual({ distance: 0, p: 1 })
      }),
    )
  })
})

describe('agreement of repeated runs', () => {
  test('the whole width of the interval over the mean', async () => {
    // Mean 12, deviation 2, t = 4.3027: half width 4.968, over the mean 0.828.
    expect((await judge(ciWidth, { threshold: 0.1, confidenceLevel: 0.95 }, values(10, 12, 14))).detail['width']).toBeCloseTo((2 * 4.9683) / 12, 4)
    expect(await judge(ciWidth, { threshold: 0.9, confidenceLevel: 0.95 }, values(10, 12, 14))).toMatchObject({ converged: true })
    expect(await judge(ciWidth, { threshold: 0.5, confidenceLevel: 0.95 }, values(10, 12, 14))).toMatchObject({ converged: false })
  })

  test('deviation over mean', async () => {
    expect((await judge(cv, { threshold: 0.05 }, values(10, 12, 14))).detail['cv']).toBeCloseTo(2 / 12, 12)
    expect(await judge(cv, { threshold: 0.2 }, values(10, 12, 14))).toMatchObject({ converged: true })
  })

  test('a mean of 0 never agrees', async () => {
    for (const criterion of [ciWidth, cv]) expect(await judge(criterion, { threshold: 0.9 }, values(0, 0, 0))).toMatchObject({ converged: false })
  })

  test('requests distributed as before, or not', async () => {
    const around = (centre: number): RepeatedRun => ({ value: centre, sample: Array.from({ length: 200 }, (_, i) => centre + Math.sin(i * 12.9898) * 10) })
    expect(await judge(distribution, { threshold: 0.05 }, [around(100), around(100), around(100.1)])).toMatchObject({ converged: true })
    expect(await judge(distribution, { threshold: 0.05 }, [around(100), around(100), around(110)])).toMatchObject({ converged: false })
  })
})
