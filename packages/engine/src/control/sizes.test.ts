import type { RunModel } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import { threadCounts } from './sizes.js'

const model = (mode: string, concurrency?: number, runtime: { workers?: number; recorders?: number } = {}) =>
  ({ runtime, phases: [{ mode, options: concurrency === undefined ? {} : { concurrency } }] }) as unknown as RunModel

describe('threads of a run', () => {
  it.each([
    [1, 1], [2, 1], [3, 1], [4, 2], [8, 4], [64, 8],
  ])('on %i cores: %i of each, for a load that could use any number', (cores, each) => {
    expect(threadCounts(model('request_rate'), cores)).toEqual({ workers: each, recorders: each })
    expect(threadCounts(model('concurrency', 10_000), cores)).toEqual({ workers: each, recorders: each })
  })

  it('are no more than a closed loop has work for', () => {
    expect(threadCounts(model('concurrency', 1), 64).workers).toBe(1)
    expect(threadCounts(model('concurrency', 32), 64).workers).toBe(2)
  })

  it('are what the user asks for; a recorder belongs to a worker', () => {
    expect(threadCounts(model('concurrency', 1, { workers: 3, recorders: 2 }), 2)).toEqual({ workers: 3, recorders: 2 })
    expect(threadCounts(model('concurrency', 1, { workers: 2, recorders: 5 }), 2)).toEqual({ workers: 2, recorders: 2 })
  })
})
