import { createRandom } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valueAt } from './dimension.js'
import { centredDiscrepancy, latinHypercube } from './latin.js'
import { MOST_DIMENSIONS, Sobol } from './sobol.js'

describe('Sobol sequences', () => {
  test('the first points are those of the literature', () => {
    const sobol = new Sobol(3)
    expect([0, 1, 2, 3, 4].map((i) => sobol.at(i))).toEqual([[0, 0, 0], [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75], [0.375, 0.375, 0.625]])
  })

  test.each([false, true])('a power of two of points lies in as many strata of every dimension (scrambled: %s)', (scrambled) => {
    const sobol = new Sobol(MOST_DIMENSIONS, scrambled ? createRandom(1, 'sobol') : undefined)
    const points = Array.from({ length: 256 }, (_, i) => sobol.at(i))
    for (let d = 0; d < MOST_DIMENSIONS; d++) expect(new Set(points.map((p) => Math.floor(p[d]! * 256))).size).toBe(256)
  })

  test('the first two dimensions fill every box of equal volume once', () => {
    const sobol = new Sobol(2, createRandom(2, 'sobol'))
    const points = Array.from({ length: 64 }, (_, i) => sobol.at(i))
    for (let k = 0; k <= 6; k++) expect(new Set(points.map(([x, y]) => `${Math.floor(x! * 2 ** k)} ${Math.floor(y! * 2 ** (6 - k))}`)).size).toBe(64)
  })

  test('the seed decides the scrambling', () => {
    const at = (seed: number) => new Sobol(2, createRandom(seed, 'x')).at(3)
    expect(at(1)).toEqual(at(1))
    expect(at(1)).not.toEqual(at(2))
  })
})

describe('Latin hypercubes', () => {
  test.each(['random-cd', null] as const)('one point in every stratum (%s)', (optimization) => {
    const points = latinHypercube(20, 3, createRandom(3, 'lhs'), { scramble: true, optimization })
    for (let d = 0; d < 3; d++) expect(points.map((p) => Math.floor(p[d]! * 20)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
  })

  test('swaps spread the points further', () => {
    const discrepancy = (optimization: 'random-cd' | null) => centredDiscrepancy(latinHypercube(16, 2, createRandom(4, 'lhs'), { scramble: true, optimization }))
    expect(discrepancy('random-cd')).toBeLessThan(discrepancy(null))
  })
})

describe('values of a dimension', () => {
  test('choices, bounds, whole numbers, equal ratios', () => {
    expect(valueAt({ path: 'x', choices: ['a', 'b', 'c'] }, 0.999)).toBe('c')
    expect(valueAt({ path: 'x', low: 10, high: 20, integer: false }, 0.25)).toBe(12.5)
    expect(valueAt({ path: 'x', low: 1, high: 100, integer: false, log: true }, 0.5)).toBeCloseTo(10, 9)
    expect(valueAt({ path: 'x', low: 1.5, high: 3.5, integer: true }, 0)).toBe(2)
  })

  test('always within the bounds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.9999999, noNaN: true }), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1000 }), fc.boolean(), fc.boolean(), (share, low, width, integer, log) => {
        const value = valueAt({ path: 'x', low, high: low + width, integer, ...(log ? { log } : {}) }, share) as number
        expect(value).toBeGreaterThanOrEqual(low)
        expect(value).toBeLessThanOrEqual(low + width)
        if (integer) expect(Number.isInteger(value)).toBe(true)
      }),
    )
  })
})
