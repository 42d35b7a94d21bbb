import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PERCENTILES } from './statistics.js'
import { productLimit } from './survival.js'

const sorted = (list: readonly number[]): Float64Array => Float64Array.from(list).sort()

it('the product limit is the one worked out by hand', () => {
  // Ends at 6, 6, 6, 7, 10, 13, 16, 22, 23; unfinished at 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35: the leukaemia
  // data of Freireich et al. (1963), whose median is 23 and lower quartile 13.
  const found = productLimit(sorted([6, 6, 6, 7, 10, 13, 16, 22, 23]), sorted([6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]))
  expect(found.p50).toBe(23)
  expect(found.p25).toBe(13)
  expect(found.p75).toBeUndefined()
  expect(found).toMatchObject({ count: 21, min: 6 })
})

it('without unfinished requests a percentile is the smallest value that enough do not exceed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 80 }), (list) => {
      const values = sorted(list)
      const found = productLimit(values, new Float64Array(0))
      for (const q of PERCENTILES) expect(found[`p${q}`]).toBe(values[Math.ceil((q / 100) * values.length - 1e-9) - 1])
    }),
  )
})

it('unfinished requests never lower a percentile', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 }), fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }), (list, ages) => {
      const without = productLimit(sorted(list), new Float64Array(0))
      const with_ = productLimit(sorted(list), sorted(ages))
      for (const q of PERCENTILES) expect(with_[`p${q}`] ?? Infinity).toBeGreaterThanOrEqual(without[`p${q}`]!)
    }),
  )
})
