import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestTable } from '../runs/request-columns.js'
import { averaged, requestsInFlight, stepCurve, tokenRate } from './curves.js'
import { meanEllipse } from './ellipse.js'
import { histogram } from './histogram.js'
import { logTicks } from './log-ticks.js'
import { axisTitle, measureOf } from './measure.js'
import { paretoFront } from './pareto.js'
import { quantile } from './quantiles.js'
import { rolling } from './rolling.js'
import { fisherF2, studentT } from './student.js'
import { thin } from './thin.js'
import { binWidth, timeBins } from './time-bins.js'

const table = (rows: { start: number; end: number; ttft?: number; tokens?: number; ok?: boolean }[]) =>
  requestTable({
    startNs: Float64Array.from(rows, (r) => r.start * 1e9), endNs: Float64Array.from(rows, (r) => r.end * 1e9),
    succeeded: Float64Array.from(rows, (r) => (r.ok === false ? 0 : 1)), error: Float64Array.from(rows, (r) => (r.ok === false ? 1 : 0)), errors: ['', 'Reset'],
    session: Float64Array.from(rows, (_, i) => i), turn: new Float64Array(rows.length),
    values: new Map([['time_to_first_token', Float64Array.from(rows, (r) => r.ttft ?? Number.NaN)], ['output_sequence_length', Float64Array.from(rows, (r) => r.tokens ?? Number.NaN)]]),
  }, 0)

describe('curves', () => {
  const two = table([{ start: 0, end: 1, ttft: 0, tokens: 10 }, { start: 0.5, end: 1.5, ttft: 0, tokens: 10 }])

  test('tokens are spread evenly from the first token to the end', () => {
    expect(tokenRate(two)).toEqual({ seconds: Float64Array.of(0, 0.5, 1, 1.5), values: Float64Array.of(10, 20, 10, 0) })
    expect(requestsInFlight(two).values).toEqual(Float64Array.of(1, 2, 1, 0))
  })

  test('nothing is lost when a curve is averaged', () => {
    fc.assert(fc.property(fc.array(fc.record({ at: fc.double({ min: 0, max: 9, noNaN: true }), length: fc.double({ min: 0.001, max: 5, noNaN: true }) }), { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (stays, bins) => {
      const curve = stepCurve(Float64Array.from(stays.flatMap(({ at, length }) => [at, at + length])), Float64Array.from(stays.flatMap(() => [1, -1])))
      const area = averaged(curve, 20, bins).reduce((sum, bin) => sum + bin.value * (bin.to - bin.from), 0)
      expect(area).toBeCloseTo(stays.reduce((sum, { length }) => sum + length, 0), 6)
    }))
  })

  test('requests are put in order of start, whatever order they came in', () => {
    const turned = table([{ start: 2, end: 3, ttft: 20 }, { start: 1, end: 9, ttft: 10, ok: false }])
    expect([...turned.startSeconds]).toEqual([1, 2])
    expect([...turned.values('time_to_first_token')!]).toEqual([10, 20])
    expect([turned.error(0), turned.error(1)]).toEqual(['Reset', ''])
    expect(turned.values('request_latency')).toBeUndefined()
  })
})

describe('Pareto front', () => {
  test('low x, high y: (3,2) is beaten by (2,3)', () => {
    expect(paretoFront([{ x: 1, y: 1 }, { x: 2, y: 3 }, { x: 3, y: 2 }, { x: 4, y: 4 }], false, true)).toEqual([0, 1, 3])
  })

  test('equal on one axis and worse on the other is beaten; what is not finite never counts', () => {
    expect(paretoFront([{ x: 1, y: 5 }, { x: 2, y: 5 }, { x: Number.NaN, y: 9 }, { x: 1, y: 4 }], false, true)).toEqual([0])
  })

  test('nobody on the front is beaten, everybody else is', () => {
    fc.assert(fc.property(fc.array(fc.record({ x: fc.integer({ min: 0, max: 9 }), y: fc.integer({ min: 0, max: 9 }) }), { maxLength: 30 }), fc.boolean(), fc.boolean(), (points, xLarger, yLarger) => {
      const front = new Set(paretoFront(points, xLarger, yLarger))
      const beats = (a: { x: number; y: number }, b: { x: number; y: number }): boolean => {
        const [dx, dy] = [(a.x - b.x) * (xLarger ? 1 : -1), (a.y - b.y) * (yLarger ? 1 : -1)]
        return dx >= 0 && dy >= 0 && (dx > 0 || dy > 0)
      }
      points.forEach((point, i) => expect(front.has(i)).toBe(!points.some((other) => beats(other, point))))
    }))
  })
})

test('Student and Fisher as tables give them', () => {
  expect(studentT(0.95, 2)).toBeCloseTo(4.3027, 4)
  expect(studentT(0.95, 4)).toBeCloseTo(2.7764, 4)
  expect(studentT(0.99, 1)).toBeCloseTo(63.657, 3)
  expect(studentT(0.9, 29)).toBeCloseTo(1.6991, 4)
  expect(fisherF2(0.95, 10)).toBeCloseTo(4.1028, 4)
})

test('the region of two means leans the way they vary together, and needs four pairs', () => {
  expect(meanEllipse([1, 2, 3], [1, 2, 4], 0.95)).toBeUndefined()
  const leaning = meanEllipse([1, 2, 3, 4], [1.1, 1.9, 3.2, 3.8], 0.95)!
  const right = leaning.reduce((a, b) => (b.x > a.x ? b : a))
  expect(right.y).toBeGreaterThan(2.5 + 0.9 * (right.x - 2.5) - 0.5)
  expect(leaning[0]).toEqual(leaning.at(-1))
})

test('every value falls into one bucket', () => {
  fc.assert(fc.property(fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 300 }), fc.boolean(), (values, log) => {
    const sorted = Float64Array.from(values).sort()
    const buckets = histogram(sorted, log)
    expect(buckets.reduce((sum, b) => sum + b.count, 0)).toBe(values.length)
    expect(buckets[0]!.from).toBeLessThanOrEqual(sorted[0]! * (1 + 1e-9))
    expect(buckets.at(-1)!.to).toBeGreaterThanOrEqual(sorted.at(-1)! * (1 - 1e-9))
  }))
})

test('of many points the largest stay', () => {
  const values = Float64Array.from({ length: 5000 }, (_, i) => (i === 4321 ? 1e6 : i % 97))
  const { indexes, left } = thin(values, 500)
  expect(indexes).toContain(4321)
  expect(indexes.length + left).toBe(5000)
  expect(indexes.length).toBe(500)
  expect([...indexes].sort((a, b) => a - b)).toEqual(indexes)
})

test('rolling percentiles look back on the window, and early ones on what there is', () => {
  const values = Float64Array.of(5, 1, 9, 3, 7)
  const [median, max] = rolling(values, 3, [0.5, 1])
  expect([...median!]).toEqual([5, 3, 5, 3, 7])
  expect([...max!]).toEqual([5, 5, 9, 9, 9])
})

test('time bins hold the percentiles of the requests that started in them', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ start: i / 10, end: i / 10 + 1, ttft: i < 20 ? 10 : 100 + i }))
  const t = table(rows)
  const bins = timeBins(t.startSeconds, t.values('time_to_first_token')!, 2)
  expect(bins.map((b) => b.count)).toEqual([20, 20])
  expect(bins[0]).toMatchObject({ p50: 10, p99: 10, max: 10 })
  expect(bins[1]!.p50).toBe(quantile(Float64Array.from({ length: 20 }, (_, i) => 120 + i), 0.5))
})

test('time bins have round lengths, and are few enough to tell apart', () => {
  expect([binWidth(928, 12), binWidth(200, 2.59), binWidth(5000, 4.08), binWidth(89, 60)]).toEqual([0.5, 0.5, 0.1, 0])
  fc.assert(fc.property(fc.integer({ min: 90, max: 1e6 }), fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (count, seconds) => {
    const width = binWidth(count, seconds)
    expect(['1', '2', '2.5', '5']).toContain(width.toExponential().split('e')[0])
    expect(Math.ceil(seconds / width - 1e-9)).toBeLessThanOrEqual(80)
  }))
})

test('measures: a tag wins over its reading as a shorthand', () => {
  const exists = (tag: string): boolean => ['request_latency', 'odd_p99'].includes(tag)
  expect(measureOf('request_latency_p99', exists)).toEqual({ metric: 'request_latency', stat: 'p99', given: true })
  expect(measureOf('odd_p99', exists)).toEqual({ metric: 'odd_p99', stat: 'avg', given: false })
  expect(measureOf({ metric: 'request_latency', stat: 'p95' }, exists).stat).toBe('p95')
  expect(axisTitle({ header: 'Time to First Token', unit: 'ms' }, 'p99')).toBe('Time to first token, p99 (ms)')
  expect(axisTitle({ header: 'Request Throughput', unit: 'requests/sec' })).toBe('Request throughput (requests/s)')
})

test('ticks of a logarithmic axis', () => {
  expect(logTicks(3, 4000)).toEqual([3, 10, 30, 100, 300, 1000, 3000])
  expect(logTicks(10, 90)).toEqual([10, 20, 50, 100])
})
