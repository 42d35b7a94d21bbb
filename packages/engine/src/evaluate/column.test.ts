import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Column, ListColumn } from './column.js'

const maybe = fc.oneof({ weight: 3, arbitrary: fc.constant(7) }, { weight: 2, arbitrary: fc.integer({ min: 0, max: 99 }) }, { weight: 1, arbitrary: fc.constant(Number.NaN) })
const identity = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i)

describe('columns', () => {
  it('give back what has a value, in order, all of it or a part', () => {
    fc.assert(
      fc.property(fc.array(fc.array(maybe, { maxLength: 90 }), { maxLength: 8 }), fc.func(fc.boolean()), (batches, chosen) => {
        const column = new Column(1e9)
        for (const batch of batches) column.append(Float64Array.from(batch), identity(batch.length), batch.length)
        const all = batches.flat()
        const numbers = all.filter((v) => !Number.isNaN(v))
        const out = new Float64Array(all.length)
        expect(column.rows).toBe(all.length)
        expect(column.count).toBe(numbers.length)
        expect([...out.subarray(0, column.copyTo(out, 0))]).toEqual(numbers)
        const keep = Uint8Array.from(all, (_, i) => (chosen(i) ? 1 : 0))
        expect([...out.subarray(0, column.copyTo(out, 0, keep))]).toEqual(all.filter((v, i) => keep[i] === 1 && !Number.isNaN(v)))
      }),
    )
  })

  it('past their limit keep a histogram of every value', () => {
    const column = new Column(1000)
    const batch = Float64Array.from({ length: 500 }, (_, i) => (i % 10 === 0 ? Number.NaN : i))
    for (let k = 0; k < 5; k++) column.append(batch, identity(500), 500)
    expect(column.count).toBe(5 * 450)
    expect(column.histogram?.count).toBe(5 * 450)
    expect(column.histogram?.min).toBe(1)
    expect(column.histogram?.max).toBe(499)
  })

  it('of one value hold no more than that value, past any limit', () => {
    const column = new Column(10)
    column.append(new Float64Array(100_000).fill(3), identity(100_000), 100_000)
    expect(column.constant).toBe(3)
    expect(column.count).toBe(100_000)
    column.append(Float64Array.from([4]), identity(1), 1)
    expect(column.constant).toBeNaN()
    expect(column.histogram?.count).toBe(100_001)
  })

  it('of lists pool their elements, all of them or those of some rows', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer(), { maxLength: 30 }), { maxLength: 60 }), fc.func(fc.boolean()), (lists, chosen) => {
        const column = new ListColumn(1e9)
        for (const list of lists) column.push(Float64Array.from(list), 0, list.length)
        const out = new Float64Array(lists.flat().length)
        expect([...out.subarray(0, column.copyTo(out, 0))]).toEqual(lists.flat())
        const keep = Uint8Array.from(lists, (_, i) => (chosen(i) ? 1 : 0))
        expect([...out.subarray(0, column.copyTo(out, 0, keep))]).toEqual(lists.filter((_, i) => keep[i] === 1).flat())
      }),
    )
  })
})
