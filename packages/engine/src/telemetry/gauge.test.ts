import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gaugeStatistics, type Curve } from './gauge.js'

const S = 1e9
function curve(points: [seconds: number, value: number][], everySeconds = 1): Curve {
  return { ns: Float64Array.from(points, ([t]) => t * S), values: Float64Array.from(points, ([, v]) => v), everyNs: new Float64Array(points.length).fill(everySeconds * S) }
}
const over = (from: number, to: number) => [{ startNs: from * S, endNs: to * S }]

describe('a gauge over a window', () => {
  it('weighs by time, not by samples', () => {
    const stats = gaugeStatistics(curve([[0, 10], [0.9, 10], [1, 100], [1.1, 100], [1.2, 100], [1.3, 100]]), over(0, 1.3))!
    // 0.9 s at 10, a rise of 0.1 s, 0.3 s at 100.
    expect(stats.integral).toBeCloseTo(0.9 * 10 + 0.1 * 55 + 0.3 * 100, 9)
    expect(stats.avg).toBeCloseTo(stats.integral / 1.3, 9)
    expect(stats).toMatchObject({ min: 10, max: 100, p50: 10, p99: 100, count: 6, coverage: 1 })
  })
  it('is clipped at its borders by interpolation', () => {
    // A ramp of 100 per second, sampled each 0.4 s at odd moments.
    const ramp = curve(Array.from({ length: 30 }, (_, i) => [i * 0.4 - 1.13, 100 * (i * 0.4 - 1.13)]))
    const stats = gaugeStatistics(ramp, over(2, 5))!
    expect(stats.avg).toBeCloseTo(350, 6)
    expect(stats.integral).toBeCloseTo(1050, 6)
    expect(stats.min).toBeGreaterThanOrEqual(200)
    expect(stats.max).toBeLessThanOrEqual(500)
  })
  it('holds no value that only samples outside had', () => {
    const stats = gaugeStatistics(curve([[0, 0], [1, 100], [2, 100], [3, 1000]]), over(0.9, 2.1))!
    expect(stats.count).toBe(2)
    for (const [value, expected] of [[stats.min, 90], [stats.p1, 100], [stats.p99, 100], [stats.max, 190]] as const) expect(value).toBeCloseTo(expected, 6)
  })
  it('says how much of the window it speaks for', () => {
    const gappy = curve([[0, 5], [1, 5], [2, 5], [8, 50], [9, 50], [10, 50]])
    const stats = gaugeStatistics(gappy, over(0, 10))!
    // 0–3 s (the sample at 2 holds for one interval) and 8–10 s.
    expect(stats.coverage).toBeCloseTo(0.5, 9)
    expect(stats.avg).toBeCloseTo((3 * 5 + 2 * 50) / 5, 9)
    expect(gaugeStatistics(gappy, over(4, 7))).toBeUndefined()
  })
  it('passes over moments without a value', () => {
    const stats = gaugeStatistics(curve([[0, 4], [1, Number.NaN], [2, 8], [3, 8]]), over(0, 3))!
    expect(stats.avg).toBeCloseTo(6, 9)
    expect(stats.coverage).toBeCloseTo(2 / 3, 9)
  })
  it('has a value from between two samples, in a window that holds none', () => {
    expect(gaugeStatistics(curve([[0, 0], [1, 10]]), over(0.4, 0.6))).toMatchObject({ avg: 5, count: 0, coverage: 1 })
  })
  it('equals the sample deviation for samples at even distance', () => {
    const values = [3, 9, 4, 4, 7, 1, 8]
    const stats = gaugeStatistics(curve(values.map((v, i) => [i, v])), over(-0.5, 6.5))!
    const mean = values.reduce((a, b) => a + b) / values.length
    expect(stats.std).toBeCloseTo(Math.sqrt(values.reduce((a, v) => a + (v - mean) ** 2, 0) / (values.length - 1)), 0)
  })
  it('adds up: the integrals of two halves are that of the whole, and several windows count as one', () => {
    const points = fc.array(fc.tuple(fc.double({ min: 0.01, max: 2, noNaN: true }), fc.double({ min: -1e3, max: 1e3, noNaN: true })), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(points, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (steps, share) => {
        let t = 0
        const c = curve(steps.map(([dt, v]) => [(t += dt), v] as [number, number]))
        const from = c.ns[0]! / S
        const to = c.ns.at(-1)! / S
        const cut = from + (to - from) * share
        const whole = gaugeStatistics(c, over(from, to))!
        const left = gaugeStatistics(c, over(from, cut))
        const right = gaugeStatistics(c, over(cut, to))
        expect((left?.integral ?? 0) + (right?.integral ?? 0)).toBeCloseTo(whole.integral, 6)
        const both = gaugeStatistics(c, [...over(from, cut), ...over(cut, to)])!
        expect(both.integral).toBeCloseTo(whole.integral, 6)
        for (const stats of [whole, left, right]) {
          if (!stats) continue
          for (const value of [stats.avg, stats.p1, stats.p50, stats.p99]) {
            expect(value).toBeGreaterThanOrEqual(stats.min - 1e-9)
            expect(value).toBeLessThanOrEqual(stats.max + 1e-9)
          }
        }
        expect(whole.p10).toBeLessThanOrEqual(whole.p90)
      }),
    )
  })
})
