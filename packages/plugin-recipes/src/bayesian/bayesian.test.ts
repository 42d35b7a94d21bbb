import { createRandom, type Point, type Search } from '@aiperf/core'
import { describe, expect, test } from 'vitest'
import { simulate, trialAt, type Truth } from '../../test-support/simulator.js'
import type { BayesianOptions } from './models.js'
import { BayesianSearch } from './search.js'

const LOAD = 'phases.profiling.concurrency'
const OPTIONS: BayesianOptions = { confidence: 0.95, precision: 0.05, initialPoints: 5, improvementPatience: 10, plateauWindow: 8, plateauThreshold: 0.01 }
const searchOf = (more: Partial<Search> = {}): Search => ({
  kind: 'search', planner: 'bayesian', plannerOptions: {}, dimensions: [{ path: LOAD, low: 1, high: 1000, integer: true, log: true }],
  objectives: [{ tag: 'throughput', stat: 'avg', direction: 'maximize' }], constraints: [{ tag: 'ttft', stat: 'p95', op: '<', threshold: 200 }], fixed: {}, maxIterations: 30, ...more,
})
/** Throughput that saturates, a first token that comes later the more there are: the best load is 119. */
const server: Truth = (point) => {
  const load = point[LOAD] as number
  return { throughput: { avg: 5000 * (1 - Math.exp(-load / 80)) }, ttft: { p95: 20 + 1.5 * load } }
}
const best = 5000 * (1 - Math.exp(-119 / 80))
const play = (search: Search, truth: Truth, noise: number, seed: number) => simulate(new BayesianSearch(search, OPTIONS, (name) => createRandom(seed, name)), search, truth, noise, createRandom(seed, 'noise'))
const answer = (planner: BayesianSearch | { summary(): unknown }): { point: Point; runs: number } => {
  const [found] = (planner.summary() as { best_trials: { variation_values: Point; runs: number }[] }).best_trials
  return { point: found!.variation_values, runs: found!.runs }
}

describe('one objective under a limit', () => {
  test('of noisy searches nearly all end within 5 % of the best, in few runs, with a load that keeps the limit', () => {
    const searches = 12
    let near = 0
    let runs = 0
    let wrong = 0
    for (let seed = 0; seed < searches; seed++) {
      const { planner, asked } = play(searchOf(), server, 0.02, seed)
      const load = answer(planner).point[LOAD] as number
      const { throughput, ttft } = server({ [LOAD]: load })
      if (ttft!['p95']! >= 200) wrong++
      else if (throughput!['avg']! >= 0.95 * best) near++
      runs += asked.length
    }
    expect(wrong).toBe(0)
    expect(near).toBe(searches)
    expect(runs / searches).toBeLessThan(15)
  })

  test('the answer is not that of a single run', () => {
    const { planner } = play(searchOf(), server, 0.03, 4)
    expect(answer(planner).runs).toBeGreaterThan(1)
  })

  test('nothing keeps the limit: it says so, and names no point', () => {
    const { planner, reason } = play(searchOf({ constraints: [{ tag: 'ttft', stat: 'p95', op: '<', threshold: 5 }] }), server, 0.02, 1)
    expect(reason).toBe('no_feasible_point')
    expect(planner.summary()).not.toHaveProperty('best_trials')
  })

  test('goes on from a snapshot as if nothing had happened', () => {
    const search = searchOf()
    const make = () => new BayesianSearch(search, OPTIONS, (name) => createRandom(7, name))
    const whole = play(search, server, 0, 7).asked
    const first = make()
    for (const point of whole.slice(0, 6)) {
      first.ask()
      first.tell(point, [trialAt(server, point, 0, createRandom(0, ''))])
    }
    const second = make()
    second.restore(JSON.parse(JSON.stringify(first.snapshot())) as never)
    expect(second.ask()).toEqual({ kind: 'point', point: whole[6] })
  })
})

describe('other searches', () => {
  test('two dimensions without limits: a peak', () => {
    const peak: Truth = (point) => ({ throughput: { avg: 1000 * Math.exp(-(((point['a'] as number) - 0.7) ** 2 + ((point['b'] as number) - 3) ** 2 / 9) * 3) } })
    const search = searchOf({ dimensions: [{ path: 'a', low: 0, high: 1, integer: false }, { path: 'b', low: 0, high: 10, integer: false }], constraints: [], maxIterations: 25 })
    const { asked } = play(search, peak, 0.005, 2)
    const found = Math.max(...asked.map((point) => peak(point)['throughput']!['avg']!))
    expect(found).toBeGreaterThan(950)
  })

  test('two objectives: points along the front, not at one end of it', () => {
    const both: Truth = (point) => {
      const x = point['x'] as number
      return { throughput: { avg: 100 + 900 * x }, latency: { avg: 10 + 90 * x * x } }
    }
    const search = searchOf({
      dimensions: [{ path: 'x', low: 0, high: 1, integer: false }], constraints: [], maxIterations: 14,
      objectives: [{ tag: 'throughput', stat: 'avg', direction: 'maximize' }, { tag: 'latency', stat: 'avg', direction: 'minimize' }],
    })
    const xs = play(search, both, 0, 3).asked.map((point) => point['x'] as number)
    expect(Math.min(...xs)).toBeLessThan(0.2)
    expect(Math.max(...xs)).toBeGreaterThan(0.8)
    expect(new Set(xs.map((x) => Math.floor(x * 5))).size).toBeGreaterThanOrEqual(4)
  })

  test('more initial points than iterations are refused', () => {
    expect(() => new BayesianSearch(searchOf({ maxIterations: 5 }), OPTIONS, (name) => createRandom(0, name))).toThrow('--search-initial-points 5')
  })
})
