import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { syntheticRun } from '../../test/synthetic-run.js'
import { addPacked, bucketOf, countedQuantile, packed, rebinned, type Counts } from './log-histogram.js'
import { quantile } from './quantiles.js'
import { runSource } from './run-source.js'
import { summarise } from './summary.js'

const METRICS = ['time_to_first_token', 'request_latency', 'input_sequence_length'].map((tag) => ({ tag, title: tag, unit: 'ms' }))

describe('a run made to fit on a page', async () => {
  const table = (await syntheticRun({ requests: 6000, concurrency: 32, slowEvery: 500, failed: 25 }).requests([]))!
  const exact = runSource(summarise(table, METRICS, Infinity))
  const binned = runSource(summarise(table, METRICS))

  test('short runs keep every request, long ones sums and what sticks out', () => {
    expect([exact.exact, binned.exact]).toEqual([true, false])
    expect(exact.summary.points.n.length).toBe(6000)
    expect(binned.summary.points.n.length).toBeLessThan(3000)
    expect(JSON.stringify(binned.summary).length).toBeLessThan(600_000)
  })

  test('every failure and every very slow request stays', () => {
    expect(binned.points().filter((k) => binned.summary.points.error[k] !== 0).length).toBe(25)
    const slow = (s: typeof exact): number[] => s.points().filter((k) => (s.summary.points.values['time_to_first_token']![k] ?? 0) > 1500).map((k) => s.summary.points.n[k]!)
    expect(slow(exact).length).toBe(12)
    expect(slow(binned)).toEqual(slow(exact))
  })

  test('both tell the same of the whole run and of a part of it', () => {
    for (const range of [undefined, { from: exact.summary.end * 0.25, to: exact.summary.end * 0.5 }]) {
      const [a, b] = [exact.requests(range), binned.requests(range)]
      expect(Math.abs(a.started - b.started)).toBeLessThanOrEqual(6000 / 200)
      for (const { tag } of METRICS) {
        const [whole, parts] = [exact.distribution(tag, range), binned.distribution(tag, range)]
        for (const q of [0.1, 0.5, 0.9]) expect(Math.abs(parts.quantile(q) / whole.quantile(q) - 1)).toBeLessThan(0.03)
        if (!range) expect(parts.max).toBe(whole.max)
      }
    }
    expect(exact.summary.curves).toEqual(binned.summary.curves)
  })

  test('in flight counts the request itself', () => {
    const { inFlight } = exact.summary.points
    expect(Math.min(...inFlight)).toBe(1)
    expect(Math.max(...inFlight)).toBe(32)
  })
})

test('a histogram of equal ratios finds quantiles within its error, also put together from parts', () => {
  fc.assert(fc.property(fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
    const parts = [values.filter((_, i) => i % 2 === 0), values.filter((_, i) => i % 2 === 1)].map((part) => {
      const counts: Counts = new Map()
      for (const v of part) counts.set(bucketOf(v), (counts.get(bucketOf(v)) ?? 0) + 1)
      return packed(counts)
    })
    const all: Counts = new Map()
    for (const part of parts) addPacked(all, part)
    const sorted = [...all].sort(([a], [b]) => a - b)
    const ascending = Float64Array.from(values).sort()
    const found = countedQuantile(sorted, values.length, q)
    const at = q * (values.length - 1)
    expect(found).toBeGreaterThanOrEqual(ascending[Math.floor(at)]! * 0.984)
    expect(found).toBeLessThanOrEqual(ascending[Math.ceil(at)]! * 1.016)
    const total = rebinned(sorted, false, 40).reduce((sum, b) => sum + b.count, 0)
    expect(Math.abs(total - values.length)).toBeLessThanOrEqual(0.06 * 40)
    expect(rebinned(sorted, true, 40).reduce((sum, b) => sum + b.count, 0)).toBe(values.length)
    expect(quantile(ascending, 0)).toBe(ascending[0])
  }))
})
