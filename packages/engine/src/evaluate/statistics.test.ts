import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderStatistics } from './order-statistics.js'
import { selectRanks } from './select.js'
import { selectWeighted } from './select-weighted.js'
import { PERCENTILES, summarise } from './statistics.js'

/** The definition: linear interpolation at index q/100·(n−1) of the sorted sample. */
function percentile(sorted: readonly number[], q: number): number {
  const at = (q / 100) * (sorted.length - 1)
  const low = Math.floor(at)
  return at === low ? sorted[low]! : sorted[low]! + (at - low) * (sorted[low + 1]! - sorted[low]!)
}
const ascending = (values: Iterable<number>): number[] => [...values].toSorted((a, b) => a - b)

/** Samples as they come: spread, with many ties, with outliers; small and past every threshold between methods. */
const sample = fc.oneof(
  fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((v) => (Math.abs(v) < 1e-9 ? 0 : v)), { minLength: 1, maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 1500 }),
  fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer(), fc.constantFrom(1, 3, 12)).map(([n, seed, power]) => {
    let state = seed >>> 0
    return Array.from({ length: n }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return (state / 2 ** 32) ** power * 1e9
    })
  }),
)

describe('statistics of a sample', () => {
  it('have the percentiles of the definition', () => {
    fc.assert(
      fc.property(sample, (values) => {
        const { statistics } = summarise(Float64Array.from(values), values.length)
        const sorted = ascending(values)
        for (const q of PERCENTILES) expect(statistics[`p${q}`]).toBe(percentile(sorted, q))
        expect(statistics.min).toBe(sorted[0])
        expect(statistics.max).toBe(sorted.at(-1))
        expect(statistics.count).toBe(values.length)
      }),
      { numRuns: 100 },
    )
  })

  it('have the mean and the deviation of the population', () => {
    fc.assert(
      fc.property(sample, (values) => {
        const { statistics } = summarise(Float64Array.from(values), values.length)
        const n = values.length
        const scale = Math.max(...values.map(Math.abs), 1e-300)
        const mean = values.reduce((sum, v) => sum + v / n, 0)
        const std = Math.sqrt(values.reduce((sum, v) => sum + (v / scale - mean / scale) ** 2 / n, 0)) * scale
        expect(Math.abs(statistics.avg! - mean)).toBeLessThanOrEqual(1e-9 * scale)
        expect(Math.abs(statistics.std! - std)).toBeLessThanOrEqual(1e-6 * scale)
        expect(statistics.min! <= statistics.avg! && statistics.avg! <= statistics.max!).toBe(true)
      }),
    )
  })

  it('lose nothing when small numbers meet large ones', () => {
    const values = Float64Array.from([1, 1e100, 1, -1e100])
    expect(summarise(values, 4).statistics.sum).toBe(2)
  })

  it('rise from percentile to percentile, and intervals hold their percentile', () => {
    fc.assert(
      fc.property(sample, (values) => {
        const { statistics, intervals } = summarise(Float64Array.from(values), values.length)
        const line = [statistics.min!, ...PERCENTILES.map((q) => statistics[`p${q}`]!), statistics.max!]
        expect(line).toEqual(ascending(line))
        for (const [key, [low, high]] of Object.entries(intervals) as ['p50', [number, number]][]) {
          expect(low).toBeLessThanOrEqual(statistics[key]!)
          expect(high).toBeGreaterThanOrEqual(statistics[key]!)
        }
      }),
    )
  })

  it('withhold what the sample cannot carry, and say what it would need', () => {
    const of = (n: number) => summarise(Float64Array.from({ length: n }, (_, i) => i), n)
    expect(of(366).withheld).toEqual({ p1: 368, p99: 368 })
    expect(of(368).withheld).toEqual({})
    expect(of(368).intervals.p99).toBeDefined()
    expect(Object.keys(of(20).withheld)).toEqual(['p1', 'p5', 'p10', 'p90', 'p95', 'p99'])
    expect(of(20).intervals.p50).toBeDefined()
  })
})

describe('selection', () => {
  it('puts every wanted rank where sorting would', () => {
    fc.assert(
      fc.property(sample, fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (values, picks) => {
        const ranks = ascending(new Set(picks.map((pick) => pick % values.length)))
        const sorted = ascending(values)
        const selected = Float64Array.from(values)
        selectRanks(selected, 0, selected.length, ranks)
        expect(ranks.map((rank) => selected[rank])).toEqual(ranks.map((rank) => sorted[rank]))
        const found = orderStatistics(Float64Array.from(values), values.length, sorted[0]!, sorted.at(-1)!, ranks)
        expect([...found]).toEqual(ranks.map((rank) => sorted[rank]))
      }),
    )
  })

  it('by weight finds the smallest value that reaches each target', () => {
    // Whole weights add up without rounding, whatever the order.
    fc.assert(
      fc.property(sample, fc.integer({ min: 1, max: 9 }), (values, step) => {
        const weights = values.map((_, i) => 1 + ((i * step) % 7))
        const total = weights.reduce((a, b) => a + b, 0)
        const targets = [0.01, 0.5, 0.9, 0.95, 0.99, 1].map((share) => share * total)
        const order = values.map((_, i) => i).toSorted((a, b) => values[a]! - values[b]!)
        const expected = targets.map((target) => {
          let sum = 0
          for (const i of order) if ((sum += weights[i]!) >= target) return values[i]!
          return values[order.at(-1)!]!
        })
        const sorted = ascending(values)
        expect(selectWeighted(Float64Array.from(values), Float64Array.from(weights), values.length, sorted[0]!, sorted.at(-1)!, targets)).toEqual(expected)
      }),
    )
  })
})
