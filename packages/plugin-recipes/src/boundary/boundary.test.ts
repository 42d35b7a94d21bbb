import { createRandom, type Constraint, type Search } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { simulate, type Truth } from '../../test-support/simulator.js'
import { MonotonicSearch } from '../monotonic-sla.js'
import { SmoothIsotonicSearch } from '../smooth-isotonic.js'
import { isotonic } from './isotonic.js'
import { pchip, root } from './pchip.js'
import { perTier } from './tiers.js'

const LOAD = 'phases.profiling.concurrency'
const OPTIONS = { confidence: 0.95, precision: 0.05, slaReplicates: 0, slaWarmupSeconds: 0, monotonicStabilityTrials: 2 }
const below = (threshold: number, tag = 'request_latency'): Constraint => ({ tag, stat: 'p95', op: '<', threshold })
const searchOf = (limit: number, { high = 1000, maxIterations = 60 } = {}): Search => ({
  kind: 'search', planner: '', plannerOptions: {}, dimensions: [{ path: LOAD, low: 1, high, integer: true }],
  objectives: [{ tag: 'throughput', stat: 'avg', direction: 'maximize' }], constraints: [below(limit)], fixed: {}, maxIterations,
})
const latency = (of: (load: number) => number): Truth => (point) => ({ request_latency: { p95: of(point[LOAD] as number) }, throughput: { avg: point[LOAD] as number } })
/** The function of the specification: the limit 200 breaks at 120. */
const line = (load: number): number => 20 + 1.5 * load
const makers = { smooth: (s: Search) => new SmoothIsotonicSearch(s, OPTIONS), monotonic: (s: Search) => new MonotonicSearch(s, OPTIONS) }
const play = (kind: keyof typeof makers, of: (load: number) => number, limit: number, { noise = 0, seed = 0, ...more } = {}) => {
  const search = searchOf(limit, more)
  const { asked, reason, planner } = simulate(makers[kind](search), search, latency(of), noise, createRandom(seed, 'noise'))
  const boundary = planner.summary()['boundary_summary'] as { feasible_max: { value: number } | null; infeasible_min: { value: number; first_breach: string } | null }
  return { asked: asked.map((p) => p[LOAD] as number), reason, found: boundary.feasible_max?.value, broken: boundary.infeasible_min?.value }
}

describe('without noise', () => {
  test('smooth: doubling, three points within, then where the curve crosses; nothing twice', () => {
    expect(play('smooth', line, 200)).toEqual({ asked: [1, 2, 4, 8, 16, 32, 64, 128, 80, 96, 112, 120, 119], reason: 'smooth_isotonic_precision_reached', found: 119, broken: 120 })
  })

  test('monotonic: doubling, then halving, every point twice', () => {
    const { asked, ...end } = play('monotonic', line, 200)
    expect(asked).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 96, 112, 120, 116].flatMap((x) => [x, x]))
    expect(end).toEqual({ reason: 'monotonic_precision_reached', found: 116, broken: 120 })
  })

  test('a limit below the first point, and one above the last', () => {
    expect(play('smooth', line, 10)).toMatchObject({ asked: [1], reason: 'smooth_isotonic_no_pass_in_range' })
    const { asked, reason, found } = play('smooth', line, 5000)
    expect({ runs: asked.length, reason, found }).toEqual({ runs: 11, reason: 'smooth_isotonic_no_failure_in_range', found: 1000 })
  })

  test('a cliff is found like a slope', () => {
    const { found, broken, reason } = play('smooth', (x) => (x <= 87 ? 50 : 900), 200)
    expect(found).toBeGreaterThan(87 * 0.95)
    expect(found).toBeLessThanOrEqual(87)
    expect(broken).toBeGreaterThan(87)
    expect(reason).toBe('smooth_isotonic_precision_reached')
  })

  test.each(['smooth', 'monotonic'] as const)('%s: any rising latency, any limit: the answer keeps it and is within 5 % of it', (kind) => {
    fc.assert(
      fc.property(fc.double({ min: 0.3, max: 3, noNaN: true }), fc.integer({ min: 2, max: 990 }), (power, star) => {
        const of = (x: number) => 10 + x ** power
        const { found, broken, asked } = play(kind, of, of(star + 0.5))
        const near = Math.max(1, 0.05 * star)
        expect(found).toBeLessThanOrEqual(star)
        expect(found).toBeGreaterThanOrEqual(star - near)
        expect(broken).toBeGreaterThan(star)
        expect(broken! - star).toBeLessThanOrEqual(Math.max(1, 0.05 * broken!) + 1)
        expect(asked.length).toBeLessThan(60)
      }),
      { numRuns: 40 },
    )
  })

  test('a run that fails is a load that cannot be carried', () => {
    const search = searchOf(200)
    const planner = makers.smooth(search)
    for (;;) {
      const ask = planner.ask()
      if (ask.kind === 'done') break
      const load = ask.point[LOAD] as number
      planner.tell(ask.point, [load > 50 ? { point: ask.point, metrics: new Map(), verdict: 'invalid', failed: 'no request succeeded', directory: '' } : { point: ask.point, metrics: new Map([['request_latency', { tag: 'request_latency', p95: 100 } as never]]), verdict: 'valid', directory: '' }])
    }
    expect(planner.summary()).toMatchObject({ boundary_summary: { feasible_max: { value: expect.closeTo(50, -0.5) as number } } })
  })
})

describe('with noise', () => {
  const SEARCHES = 200
  /** Share of searches whose answer breaks the limit in truth, of those within 5 % of the best, and runs of a search. */
  const many = (kind: keyof typeof makers, of: (load: number) => number, star: number, noise: number) => {
    let wrong = 0
    let near = 0
    let runs = 0
    for (let seed = 0; seed < SEARCHES; seed++) {
      const { found, asked } = play(kind, of, 200, { noise, seed })
      runs += asked.length / SEARCHES
      if (found !== undefined && of(found) >= 200) wrong++
      if (found !== undefined && Math.abs(found - star) <= 0.05 * star) near++
    }
    return { wrong: wrong / SEARCHES, near: near / SEARCHES, runs }
  }

  const queue = (x: number) => 30 / (1 - Math.min(0.999, x / 160))
  const knee = (x: number) => 50 + 0.1 * x + Math.max(0, x - 100) * 8
  test.each([
    ['smooth', 'line', line, 119, 0.02, 14],
    ['smooth', 'line', line, 119, 0.05, 27],
    ['smooth', 'queue', queue, 135, 0.05, 19],
    ['smooth', 'knee', knee, 117, 0.02, 14.5],
    ['monotonic', 'line', line, 119, 0.01, 26],
    ['monotonic', 'line', line, 119, 0.05, 33],
  ] as const)('%s on a %s: of 200 searches at most one in twenty claims a load that breaks the limit, in few runs', (kind, _name, of, star, noise, most) => {
    const { wrong, near, runs } = many(kind, of, star, noise)
    expect(wrong).toBeLessThanOrEqual(0.05)
    expect(near).toBeGreaterThanOrEqual(0.9)
    expect(runs).toBeLessThanOrEqual(most)
  })

  test('what is near the limit is repeated, what is far from it is not', () => {
    const { asked } = play('smooth', line, 200, { noise: 0.03, seed: 5 })
    const runs = (from: number, to: number) => asked.filter((x) => x >= from && x <= to).length
    expect(runs(1, 64)).toBe(7)
    expect(runs(105, 130)).toBeGreaterThan(4)
  })

  test('the same results lead to the same questions, also after a snapshot', () => {
    const search = searchOf(200)
    const whole = play('smooth', line, 200, { noise: 0.05, seed: 9 }).asked
    const random = createRandom(9, 'noise')
    let planner = makers.smooth(search)
    const asked: number[] = []
    for (;;) {
      const ask = planner.ask()
      if (ask.kind === 'done') break
      asked.push(ask.point[LOAD] as number)
      const { metrics } = { metrics: new Map(Object.entries(latency(line)(ask.point)).map(([tag, stats]) => [tag, { tag, ...Object.fromEntries(Object.entries(stats).map(([s, v]) => [s, v * 1])) } as never])) }
      // The same factors as the simulator draws.
      for (const [tag, stats] of Object.entries(latency(line)(ask.point))) {
        const factor = Math.exp(random.normal(0, 0.05) - 0.00125)
        metrics.set(tag, { tag, ...Object.fromEntries(Object.entries(stats).map(([s, v]) => [s, v * factor])) } as never)
      }
      planner.tell(ask.point, [{ point: ask.point, metrics, verdict: 'valid', directory: '' }])
      if (asked.length === 10) {
        const snapshot = JSON.parse(JSON.stringify(planner.snapshot())) as never
        planner = makers.smooth(search)
        planner.restore(snapshot)
      }
    }
    expect(asked).toEqual(whole)
  })

  test('better under more load is pointed out', () => {
    const search = searchOf(200)
    const planner = makers.smooth(search)
    const tell = (load: number, p95: number) => planner.tell({ [LOAD]: load }, [{ point: {}, metrics: new Map([['request_latency', { tag: 'request_latency', p95 } as never]]), verdict: 'valid', directory: '' }])
    expect(tell(1, 100).nonMonotonic).toBe(false)
    expect(tell(2, 300).nonMonotonic).toBe(false)
    expect(tell(4, 100).nonMonotonic).toBe(true)
  })
})

describe('several service levels', () => {
  test('share their runs: fewer than one search for each', () => {
    const tiers = [100, 200, 400].map((limit) => ({ label: `under ${limit}`, constraints: [below(limit)] }))
    const search = { ...searchOf(200), constraints: [], tiers }
    const planner = perTier(search, (constraints) => new SmoothIsotonicSearch(search, OPTIONS, constraints))
    const { asked, reason } = simulate(planner, search, latency(line), 0, createRandom(0, ''))
    const results = planner.summary()['tier_results'] as { label: string; feasible_max: number }[]
    expect(results.map((r) => [r.label, r.feasible_max])).toEqual([['under 100', 53], ['under 200', 119], ['under 400', 253]])
    expect(reason).toBe('multi_tier_precision_reached')
    const alone = [100, 200, 400].reduce((sum, limit) => sum + play('smooth', line, limit).asked.length, 0)
    expect(asked.length).toBeLessThan(alone)
  })
})

describe('curves', () => {
  const numbers = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 2, maxLength: 12 })

  test('isotonic values rise, keep the weighted sum, and leave what rises alone', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const weights = values.map((_, i) => 1 + (i % 3))
        const fitted = isotonic(values, weights)
        for (let i = 1; i < fitted.length; i++) expect(fitted[i]!).toBeGreaterThanOrEqual(fitted[i - 1]! - 1e-9)
        const sum = (all: readonly number[]) => all.reduce((total, v, i) => total + v * weights[i]!, 0)
        expect(sum(fitted)).toBeCloseTo(sum(values), 6)
        const rising = [...values].sort((a, b) => a - b)
        for (const [i, v] of isotonic(rising, weights).entries()) expect(v).toBeCloseTo(rising[i]!, 9)
      }),
    )
  })

  test('the curve passes through its points and rises between points that rise', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const y = [...values].sort((a, b) => a - b)
        const x = y.map((_, i) => i * i + i)
        const curve = pchip(x, y)
        for (const [i, at] of x.entries()) expect(curve(at)).toBeCloseTo(y[i]!, 6)
        let before = curve(x[0]!)
        for (let at = x[0]!; at <= x.at(-1)!; at += 1) {
          expect(curve(at)).toBeGreaterThanOrEqual(before - 1e-7)
          before = curve(at)
        }
      }),
      { numRuns: 40 },
    )
    expect(root(pchip([0, 1, 3], [-1, 0.5, 2]), 0, 3)).toBeGreaterThan(0)
  })
})
