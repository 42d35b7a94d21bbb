import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketQuantile, histogramStatistics as each } from './histogram.js'
import { Column, type StoredSeries } from './store.js'

const S = 1e9
const histogramStatistics = (of: Parameters<typeof each>[0], series: StoredSeries, windows: Parameters<typeof each>[2][number]) => each(of, series, [windows])[0]
const BOUNDS = [0.1, 0.5, 1, 5, Infinity]

/** A stored histogram from its states: cumulative counts per sample, `undefined`: not there. */
function stored(states: (number[] | undefined)[], sums: number[] = []): StoredSeries {
  const series: StoredSeries = {
    target: 0,
    series: { name: 'h', type: 'histogram', unit: 's', description: '', labels: {}, bounds: BOUNDS },
    samples: new Column(), values: new Column(), sums: new Column(), log: new Column(), logAt: new Column(),
  }
  states.forEach((cumulative, i) => {
    if (!cumulative) return
    series.samples.push(i)
    series.values.push(cumulative.at(-1)!)
    series.sums.push(sums[i] ?? 0)
    series.logAt.push(series.log.length)
    cumulative.forEach((n, k) => {
      series.log.push(k)
      series.log.push(n - (cumulative[k - 1] ?? 0))
    })
  })
  return series
}
const target = (times: number[], borders: Record<string, number> = {}) => ({
  ns: Float64Array.from(times, (t) => t * S), everyNs: new Float64Array(times.length).fill(S), borders: new Map(Object.entries(borders)),
})

describe('a histogram over a window', () => {
  it('has exact growth between samples at the borders', () => {
    const h = stored([[1, 2, 3, 4, 4], [1, 4, 9, 14, 14], [1, 4, 10, 16, 18]], [10, 30, 90])
    const s = histogramStatistics(target([0, 1, 2], { 'start 0': 0, 'end 0': 2 }), h, [{ startNs: 0, endNs: 2 * S, phase: 0 }])!
    expect(s).toMatchObject({ count: 14, sum: 80, countRate: 7, sumRate: 40, buckets: [0, 2, 7, 12, 14], resets: 0, exact: true })
    expect(s.avg).toBeCloseTo(80 / 14, 12)
    expect(s.quantiles['p50']).toEqual({ estimate: 1, low: 0.5, high: 1 })
    expect(s.quantiles['p99']).toEqual({ estimate: 5, low: 5, high: Infinity })
  })
  it('goes on after a restart and begins at 0 when born on the way', () => {
    const restarted = stored([[5, 5, 5, 5, 5], [7, 7, 7, 7, 7], [0, 3, 3, 3, 3]], [5, 7, 1])
    expect(histogramStatistics(target([0, 1, 2], { 'start 0': 0, 'end 0': 2 }), restarted, [{ startNs: 0, endNs: 2 * S, phase: 0 }])).toMatchObject({ count: 5, sum: 3, buckets: [2, 5, 5, 5, 5], resets: 1, exact: false })
    const born = stored([undefined, [1, 1, 1, 1, 1], [2, 2, 2, 2, 2]], [0, 1, 2])
    expect(histogramStatistics(target([0, 1, 2], { 'start 0': 0, 'end 0': 2 }), born, [{ startNs: 0, endNs: 2 * S, phase: 0 }])).toMatchObject({ count: 2, sum: 2 })
  })
  it('has no quantiles and no growth when nothing was observed', () => {
    const s = histogramStatistics(target([0, 1]), stored([[1, 1, 1, 1, 1]]), [{ startNs: 0.2 * S, endNs: 0.8 * S }])!
    expect(s).toMatchObject({ count: 0, avg: 0 })
    expect(s.quantiles).toEqual({})
  })
  it('parts add up to the whole, in whole observations', () => {
    const h = stored([[0, 0, 0, 0, 0], [3, 5, 5, 8, 9], [4, 9, 15, 18, 19]], [0, 9, 19])
    const t = target([0, 1, 2])
    const part = (from: number, to: number) => histogramStatistics(t, h, [{ startNs: from * S, endNs: to * S }])!
    const cuts = [0, 0.3, 0.31, 1, 1.77, 2]
    const parts = cuts.slice(1).map((to, i) => part(cuts[i]!, to))
    expect(parts.every((p) => p.buckets.every(Number.isInteger) && Number.isInteger(p.count))).toBe(true)
    expect(parts.reduce((a, p) => a + p.count, 0)).toBe(19)
    BOUNDS.forEach((_, i) => expect(parts.reduce((a, p) => a + p.buckets[i]!, 0)).toBe([4, 9, 15, 18, 19][i]))
    expect(parts.reduce((a, p) => a + p.sum, 0)).toBeCloseTo(19, 9)
  })
})

describe('a quantile of buckets', () => {
  it('lies in its bucket, and the true quantile too', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 7, noNaN: true }), { minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: 99 }), (observed, percent) => {
        const cumulative = BOUNDS.map((le) => observed.filter((x) => x <= le).length)
        const { estimate, low, high } = bucketQuantile(BOUNDS, cumulative, percent / 100, observed.reduce((a, b) => a + b, 0))
        expect(estimate).toBeGreaterThanOrEqual(low)
        expect(estimate).toBeLessThanOrEqual(high)
        const sorted = observed.toSorted((a, b) => a - b)
        const truth = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length - 1e-9) - 1)]!
        expect(truth).toBeGreaterThanOrEqual(low - 1e-9)
        expect(truth).toBeLessThanOrEqual(high + 1e-9)
      }),
    )
  })
  it('is no higher than the sum allows: of 100 waits of 0.001 s in a bucket up to 0.3 s, the median is not 0.15 s', () => {
    const p50 = bucketQuantile([0.3, Infinity], [100, 100], 0.5, 0.1)
    expect(p50.high).toBeCloseTo(0.1 / 51, 9)
    expect(p50.estimate).toBe(p50.high)
  })
  it('is that of the buckets where the sum cannot be: they were read at different moments', () => {
    expect(bucketQuantile([0.25, 0.75, Infinity], [0, 100, 100], 0.5, 0.1)).toEqual({ estimate: 0.5, low: 0.25, high: 0.75 })
  })
})
