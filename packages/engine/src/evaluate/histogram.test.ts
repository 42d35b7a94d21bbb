import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Histogram } from './histogram.js'

const values = fc.array(
  fc.oneof(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), fc.integer({ min: -1000, max: 1000 }), fc.double({ min: -1e9, max: -1e-3, noNaN: true })),
  { minLength: 1, maxLength: 400 },
)
function of(list: readonly number[]): Histogram {
  const h = new Histogram()
  h.recordAll(Float64Array.from(list))
  return h
}
const qs = [0, 1, 5, 25, 50, 75, 90, 95, 99, 100]
/** What merging must leave alike whatever its order: everything that is counted. */
const counted = (h: Histogram): unknown => [h.count, h.min, h.max, ...qs.map((q) => h.percentile(q))]
const close = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= 1e-9 * scale

describe('histogram', () => {
  it('is at most 0.1 % from every order statistic, exact at both ends', () => {
    fc.assert(
      fc.property(values, (list) => {
        const h = of(list)
        const sorted = list.toSorted((a, b) => a - b)
        for (let rank = 0; rank < sorted.length; rank++) {
          const truth = sorted[rank]!
          expect(Math.abs(h.atRank(rank) - truth)).toBeLessThanOrEqual(Math.abs(truth) * Histogram.RELATIVE_ERROR)
        }
        expect(h.percentile(0)).toBe(sorted[0])
        expect(h.percentile(100)).toBe(sorted.at(-1))
      }),
    )
  })

  it('keeps count, sum, mean and deviation exactly', () => {
    fc.assert(
      fc.property(values, (list) => {
        const h = of(list)
        const n = list.length
        const scale = Math.max(...list.map(Math.abs))
        const mean = list.reduce((a, b) => a + b, 0) / n
        expect(h.count).toBe(n)
        expect(close(h.mean, mean, scale)).toBe(true)
        expect(close(h.sum, mean * n, scale * n)).toBe(true)
        expect(Math.abs(h.std - Math.sqrt(list.reduce((s, v) => s + (v - mean) ** 2, 0) / n))).toBeLessThanOrEqual(1e-6 * scale)
      }),
    )
  })

  it('merges in any order and grouping to the same, which is that of all values together', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const merged = (...parts: Histogram[]): Histogram => {
          const all = new Histogram()
          for (const part of parts) all.merge(part)
          return all
        }
        const together = of([...a, ...b, ...c])
        const left = merged(merged(of(a), of(b)), of(c))
        const right = merged(of(a), merged(of(b), of(c)))
        const turned = merged(of(c), of(a), of(b))
        for (const h of [left, right, turned]) expect(counted(h)).toEqual(counted(together))
        const scale = Math.max(...[...a, ...b, ...c].map(Math.abs)) * together.count
        for (const h of [left, right, turned]) expect(close(h.sum, together.sum, scale)).toBe(true)
      }),
    )
  })

  it('survives being written and read', () => {
    fc.assert(
      fc.property(values, values, (list, more) => {
        const copy = Histogram.from(of(list).toNumbers())
        expect(counted(copy)).toEqual(counted(of(list)))
        copy.merge(of(more))
        expect(counted(copy)).toEqual(counted(of([...list, ...more])))
        expect(copy.std).toBeCloseTo(of([...list, ...more]).std, -9)
      }),
    )
  })

  it('ignores what is no number, and is empty at first and after clearing', () => {
    const h = of([Number.NaN, Infinity, -Infinity])
    expect(h.count).toBe(0)
    expect(h.percentile(50)).toBeNaN()
    h.record(3)
    h.clear()
    expect([h.count, h.sum]).toEqual([0, 0])
    h.record(5)
    expect([h.count, h.percentile(50), h.mean]).toEqual([1, 5, 5])
  })

  it('takes little room for what a latency can be', () => {
    const h = new Histogram()
    for (let ns = 1e5; ns < 1e11; ns *= 1.0001) h.record(ns)
    expect(h.toNumbers().byteLength).toBeLessThan(100_000)
  })
})
