import { createRandom } from '@aiperf/core'
import fc from 'fast-check'
import { Matrix } from 'ml-matrix'
import { describe, expect, test } from 'vitest'
import { expectedGain } from '../statistics/normal.js'
import { fitProcess } from './fit.js'
import { hypervolume } from './hypervolume.js'
import { matern52 } from './kernel.js'
import { nelderMead } from './nelder-mead.js'
import { GaussianProcess } from './process.js'

const grid = (n: number): number[][] => Array.from({ length: n }, (_, i) => [i / (n - 1)])

describe('Gaussian processes', () => {
  test('the kernel: 1 at no distance, falling, of known value at one length scale', () => {
    expect(matern52([0.3], [0.3], [1])).toBe(1)
    // (1 + √5 + 5/3) exp(-√5)
    expect(matern52([0], [1], [1])).toBeCloseTo(0.52399411, 8)
    expect(matern52([0, 0], [1, 1], [1, 1e9])).toBeCloseTo(matern52([0], [1], [1]), 9)
    expect(matern52([0], [2], [1])).toBeLessThan(matern52([0], [1], [1]))
  })

  test('without noise it passes through its data, and knows little far from it', () => {
    const x = [[0], [0.2], [0.4]]
    const y = [1, -1, 0.5]
    const process = new GaussianProcess({ x, y, runs: [1, 1, 1] }, { scales: [0.2], variance: 1, noise: 1e-9 })
    const { mean, variance } = process.posterior([...x, [1]])
    for (const [i, value] of y.entries()) expect(mean[i]).toBeCloseTo(value, 3)
    expect(Math.max(...variance.slice(0, 3))).toBeLessThan(1e-4)
    expect(variance[3]).toBeGreaterThan(0.8)
  })

  test('several runs at a point are one run with less noise', () => {
    const hyper = { scales: [0.3], variance: 1, noise: 0.5 }
    const variance = (runs: number) => new GaussianProcess({ x: [[0.5]], y: [1], runs: [runs] }, hyper).posterior([[0.5]]).variance[0]!
    // Posterior variance of a normal mean: 1 / (1 / prior + runs / noise).
    for (const runs of [1, 4, 16]) expect(variance(runs)).toBeCloseTo(1 / (1 + runs / 0.5), 6)
  })

  test('draws scatter as the posterior says', () => {
    const process = new GaussianProcess({ x: grid(5), y: [0, 1, 0, -1, 0], runs: [1, 1, 1, 1, 1] }, { scales: [0.3], variance: 1, noise: 0.2 })
    const random = createRandom(1, 'draws')
    const normals = new Matrix(5, 4000)
    for (let i = 0; i < 5; i++) for (let j = 0; j < 4000; j++) normals.set(i, j, random.normal())
    const { draws } = process.sample(normals)
    const { mean, variance } = process.posterior(grid(5))
    for (let i = 0; i < 5; i++) {
      const row = draws.getRow(i)
      const centre = row.reduce((a, b) => a + b, 0) / row.length
      expect(centre).toBeCloseTo(mean[i]!, 1)
      expect(row.reduce((sum, v) => sum + (v - centre) ** 2, 0) / row.length).toBeCloseTo(variance[i]!, 1)
    }
  })

  test('the fit finds how rough a function is, and how noisy', () => {
    const random = createRandom(2, 'fit')
    const fitOf = (frequency: number, noise: number) => {
      const x = grid(25)
      const y = x.map(([v]) => Math.SQRT2 * Math.sin(frequency * v!) + random.normal(0, noise))
      return fitProcess({ x, y, runs: x.map(() => 1) }, { variance: 0, degrees: 0 }).hyper
    }
    const [smooth, rough] = [fitOf(3, 0.01), fitOf(20, 0.01)]
    expect(smooth.scales[0]).toBeGreaterThan(2 * rough.scales[0]!)
    const noisy = fitOf(3, 0.4)
    expect(Math.sqrt(noisy.noise)).toBeGreaterThan(0.25)
    expect(Math.sqrt(noisy.noise)).toBeLessThan(0.6)
    expect(Math.sqrt(smooth.noise)).toBeLessThan(0.1)
  })
})

test('the simplex finds the bottom of a bent valley', () => {
  const { x } = nelderMead(([a, b]) => (1 - a!) ** 2 + 100 * (b! - a! * a!) ** 2, [-1.2, 1], { most: 500, tolerance: 1e-12 })
  expect(x[0]).toBeCloseTo(1, 2)
  expect(x[1]).toBeCloseTo(1, 2)
})

test('expected gain: none far below, the difference far above, φ(0) at the level of the best', () => {
  expect(expectedGain(-10, 1, 0)).toBeCloseTo(0, 9)
  expect(expectedGain(10, 1, 0)).toBeCloseTo(10, 9)
  expect(expectedGain(0, 2, 0)).toBeCloseTo(2 / Math.sqrt(2 * Math.PI), 9)
})

describe('hypervolume', () => {
  test('boxes by hand', () => {
    expect(hypervolume([[2, 1], [1, 2]], [0, 0])).toBe(3)
    expect(hypervolume([[2, 1], [1, 2], [1, 1]], [0, 0])).toBe(3)
    expect(hypervolume([[1, 1, 1], [2, 0.5, 0.5]], [0, 0, 0])).toBeCloseTo(1 + 0.25, 12)
    expect(hypervolume([[-1, 5]], [0, 0])).toBe(0)
  })

  test('as counting random points finds it', () => {
    const points = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 5 })
    const random = createRandom(3, 'volume')
    const probes = Array.from({ length: 4000 }, () => [random.next(), random.next(), random.next()])
    fc.assert(
      fc.property(points, (all) => {
        const counted = probes.filter((q) => all.some((p) => p.every((v, i) => v >= q[i]!))).length / probes.length
        expect(Math.abs(hypervolume(all, [0, 0, 0]) - counted)).toBeLessThan(0.04)
      }),
      { numRuns: 25 },
    )
  })
})
