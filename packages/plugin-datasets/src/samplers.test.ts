import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, type DatasetSampler } from '@aiperf/core'
import random from './random.js'
import sequential from './sequential.js'
import shuffle from './shuffle.js'

const make = (contribution: typeof random, size: number, seed = 1) =>
  contribution.create({ size, random: (name) => createRandom(seed, name) }) as DatasetSampler
const first = (sampler: DatasetSampler, count: number) => Array.from({ length: count }, (_, n) => sampler.at(n))

describe('samplers', () => {
  it('sequential begins again when exhausted', () => {
    expect(first(make(sequential, 3), 7)).toEqual([0, 1, 2, 0, 1, 2, 0])
  })

  it('shuffle plays every session once in each round, in another order', () => {
    const drawn = first(make(shuffle, 50), 100)
    const rounds = [drawn.slice(0, 50), drawn.slice(50)]
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(first(make(sequential, 50), 50))
    expect(rounds[0]).not.toEqual(rounds[1])
  })

  it('random draws every session about equally often', () => {
    const counts = new Array<number>(10).fill(0)
    for (const at of first(make(random, 10), 10_000)) counts[at]!++
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it.each([['sequential', sequential], ['random', random], ['shuffle', shuffle]])('%s is a function of seed and n', (_, contribution) => {
    fc.assert(fc.property(fc.array(fc.nat(5000), { maxLength: 20 }), fc.integer({ min: 1, max: 300 }), (asked, size) => {
      const inOrder = first(make(contribution, size), 5001)
      const sampler = make(contribution, size)
      for (const n of asked) expect(sampler.at(n)).toBe(inOrder[n])
      expect(inOrder.every((at) => Number.isInteger(at) && at >= 0 && at < size)).toBe(true)
    }), { numRuns: 30 })
  })
})
