import type { MetricResult } from '@aiperf/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interval, tCritical } from '../../statistics/student.js'
import type { RunRecord } from '../ledger.js'
import { combine } from './combine.js'
import { paretoFront, within } from './front.js'
import { repeatCsv, repeatJson } from './repeat-files.js'
import { summariseSweep, sweepCsv, sweepJson, type SweepPoint } from './sweep-files.js'
import { trendP } from './trend.js'

const metric = (tag: string, stats: Partial<MetricResult>): MetricResult => ({ tag, header: tag, unit: 'ms', group: 'default', kind: 'record', ...stats })
const record = (cell: number, trial: number, metrics: MetricResult[], status: RunRecord['status'] = 'ok'): RunRecord => ({ cell, trial, label: `c=${cell}`, seed: 1, directory: '', status, startTime: '', seconds: 1, metrics, ...(status === 'ok' ? {} : { error: 'refused' }) })
const point = (concurrency: number, records: RunRecord[]): SweepPoint => ({ folder: `concurrency_${concurrency}`, values: { 'phases.profiling.concurrency': concurrency }, records, metrics: combine(records, 0.95) })
const figures = (throughput: number, ttft: number): MetricResult[] => [{ ...metric('request_throughput', { avg: throughput }), unit: 'requests/sec' }, metric('time_to_first_token', { avg: ttft, p99: ttft })]
const FACTS = { order: 'repeated', confidenceLevel: 0.95, trials: 1, constraints: [] } as const

describe('intervals of repeated runs', () => {
  test('10, 12 and 14: mean 12, deviation 2, interval 7.0317 to 16.9683', () => {
    const found = interval([10, 12, 14], 0.95)
    expect(found).toMatchObject({ mean: 12, std: 2, min: 10, max: 14, count: 3 })
    expect([found.se, found.tCritical, found.low, found.high].map((v) => Number(v!.toFixed(4)))).toEqual([1.1547, 4.3027, 7.0317, 16.9683])
  })

  test('one run has no spread, and says that none is known', () => {
    expect(interval([5], 0.95)).toMatchObject({ std: 0, low: 5, high: 5, tCritical: undefined })
  })

  test('the interval holds the true mean as often as it says', () => {
    // Deterministic normal variates: quantiles in an order that is mixed.
    let inside = 0
    const trials = 2000
    let state = 1
    const next = () => (state = (state * 48271) % 2147483647) / 2147483647
    for (let i = 0; i < trials; i++) {
      const values = Array.from({ length: 5 }, () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next()))
      const { low, high } = interval(values, 0.95)
      if (low <= 0 && high >= 0) inside++
    }
    expect(inside / trials).toBeGreaterThan(0.93)
    expect(inside / trials).toBeLessThan(0.97)
  })

  test('wider for a higher level', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 50 }), (degrees) => void expect(tCritical(0.99, degrees)).toBeGreaterThan(tCritical(0.9, degrees))))
  })

  test('values that are no number are left out', () => {
    const combined = combine([record(0, 0, [metric('a', { avg: 1, p99: Infinity })]), record(0, 1, [metric('a', { avg: 3, p99: 4 })]), record(0, 2, [metric('a', { avg: 100 })], 'failed')], 0.95)
    expect(combined.get('a_avg')).toMatchObject({ mean: 2, count: 2 })
    expect(combined.get('a_p99')).toMatchObject({ mean: 4, count: 1 })
  })
})

describe('files of repeated runs', () => {
  const records = [record(0, 0, figures(10, 5)), record(0, 1, figures(12, 6)), record(0, 2, [], 'failed')]
  const facts = { records, confidenceLevel: 0.95, cooldownSeconds: 5, more: { model: 'm' } }

  test('JSON names the runs, those that failed too', () => {
    const json = repeatJson(combine(records, 0.95), facts)
    expect(json['metadata']).toEqual({
      aggregation_type: 'confidence', num_profile_runs: 3, num_successful_runs: 2, failed_runs: [{ label: 'run_0003', error: 'refused' }],
      confidence_level: 0.95, run_labels: ['run_0001', 'run_0002'], cooldown_seconds: 5, model: 'm',
    })
    expect(json['metrics']).toMatchObject({ request_throughput_avg: { mean: 11, unit: 'requests/sec', t_critical: expect.closeTo(12.706, 3) as number } })
  })

  test('CSV has its columns in order, then what it was made of', () => {
    const [header, first, ...rest] = repeatCsv(combine(records, 0.95), facts).split('\n')
    expect(header).toBe('metric,mean,std,min,max,cv,se,ci_low,ci_high,t_critical,unit')
    expect(first).toBe('request_throughput_avg,11.00,1.41,10.00,12.00,0.1286,1.0000,-1.71,23.71,12.7062,requests/sec')
    expect(rest).toContain('Total Runs,3')
    expect(rest).toContain('Cooldown Seconds,5')
  })
})

describe('sweeps', () => {
  const points = [point(1, [record(0, 0, figures(5, 10))]), point(2, [record(1, 0, figures(9, 12))]), point(4, [record(2, 0, figures(8, 30))]), point(8, [record(3, 0, [], 'failed')])]

  test('best and Pareto points with one run each, a failed point listed', () => {
    const json = sweepJson(summariseSweep(points, FACTS), FACTS)
    expect(json['best_configurations']).toEqual({ best_throughput: { parameters: { concurrency: 2 }, metric: 9, unit: 'requests/sec' }, best_latency_p99: { parameters: { concurrency: 1 }, metric: 10, unit: 'ms' } })
    expect(json['pareto_optimal']).toEqual([{ concurrency: 1 }, { concurrency: 2 }])
    expect(json['failed_runs']).toEqual([{ label: 'concurrency_8', error: 'refused' }])
    expect(json['metadata']).toMatchObject({ sweep_parameters: [{ name: 'concurrency', values: [1, 2, 4, 8] }], num_combinations: 4, num_trials_per_value: 1 })
  })

  test('one shape of metrics for one run and for several', () => {
    const shape = (records: RunRecord[]) => {
      const [first] = sweepJson(summariseSweep([point(1, records)], FACTS), FACTS)['per_combination_metrics'] as { metrics: Record<string, object> }[]
      return Object.entries(first!.metrics).map(([key, value]) => [key, Object.keys(value)])
    }
    expect(shape([record(0, 0, figures(5, 10))])).toEqual(shape([record(0, 0, figures(5, 10)), record(0, 1, figures(6, 9))]))
  })

  test('limits: what breaks them is not best, and nothing is when all break them', () => {
    const constraints = (threshold: number) => [{ tag: 'time_to_first_token', stat: 'p99', op: '<' as const, threshold }]
    const best = (threshold: number) => summariseSweep(points, { ...FACTS, constraints: constraints(threshold) }).best.map((b) => b.point.folder)
    expect(best(11)).toEqual(['concurrency_1', 'concurrency_1'])
    expect(best(1)).toEqual([])
  })

  test('CSV: a row per point, then the blocks', () => {
    const text = sweepCsv(summariseSweep(points, FACTS))
    expect(text.split('\n')[0]).toMatch(/^concurrency,request_throughput_avg_mean,request_throughput_avg_std,/)
    expect(text).toContain('\nBest Configurations\nConfiguration,concurrency,Metric,Unit\nBest Throughput,2,9.00,requests/sec\n')
    expect(text).toContain('\nPareto Optimal Points\nconcurrency\n1\n2\n')
    expect(text).toContain('\nNumber of Successful Runs,3\n')
  })

  test('axes of the front may be chosen', () => {
    const pareto = [{ tag: 'time_to_first_token', stat: 'avg', direction: 'maximize' as const }, { tag: 'request_throughput', stat: 'avg', direction: 'minimize' as const }]
    expect(summariseSweep(points, { ...FACTS, pareto }).front.map((p) => p.folder)).toEqual(['concurrency_1', 'concurrency_4'])
  })

  test('no point of a front is beaten by another, every other point is', () => {
    const axes = [{ tag: 'x', stat: 'avg', direction: 'maximize' as const }, { tag: 'y', stat: 'avg', direction: 'minimize' as const }]
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 20 }), (all) => {
        const front = paretoFront(all, axes, ([x, y], { tag }) => (tag === 'x' ? x : y))
        const beats = (a: [number, number], b: [number, number]) => a[0] >= b[0] && a[1] <= b[1] && (a[0] > b[0] || a[1] < b[1])
        for (const p of all) expect(front.includes(p)).toBe(!all.some((q) => beats(q, p)))
      }),
    )
  })

  test.each([
    ['<', 5, false], ['<=', 5, true], ['>', 5, false], ['>=', 5, true], ['==', 5, true], ['<', undefined, false],
  ] as const)('%s 5 at %s: %s', (op, value, expected) => expect(within(value, { op, threshold: 5 })).toBe(expected))
})

describe('trends', () => {
  test('steady change is told from chance', () => {
    // 5 values in one of 120 orders: two of them are all rising or all falling.
    expect(trendP([1, 2, 3, 4, 5])).toBeCloseTo(2 / 120, 12)
    expect(trendP([5, 4, 3, 2, 1])).toBeCloseTo(2 / 120, 12)
    expect(trendP([3, 1, 4, 2, 5])).toBeGreaterThan(0.2)
    expect(trendP([1, 2, 3])).toBe(1)
  })
})
