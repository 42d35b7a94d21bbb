import type { Arrival } from '@aiperf/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check, plan, take, turnsOf } from '../test-support/plan.js'

const played = (a: Arrival, turns: readonly number[]) => a.turns ?? turns[a.session!]!

test('4 users at 4 requests/s with conversations of 5 turns: the starts as worked out by hand', () => {
  const load = plan('user_centric', { options: { rate: 4, users: 4 }, dataset: turnsOf(5) })
  expect(take(load, 6).map((a) => [a.user, a.dueNs / 1e9, a.turns ?? 5])).toEqual([
    [5, 0, 5],
    [2, 0.25, 1],
    [3, 0.5, 2],
    [4, 0.75, 3],
    [6, 1.25, 5],
    [7, 2.5, 5],
  ])
  expect(load.nextTurn).toEqual({ kind: 'every', gapNs: 1e9 })
  expect(load.offeredRate!(3e9)).toBe(4)
})

const cases = fc.record({ users: fc.integer({ min: 1, max: 40 }), rate: fc.double({ min: 0.1, max: 1000, noNaN: true }), turns: fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 6 }) })

test('when every turn follows its user by the gap, every slot of 1/rate has exactly one request', () => {
  fc.assert(
    fc.property(cases, ({ users, rate, turns }) => {
      const arrivals = take(plan('user_centric', { options: { rate, users }, dataset: turnsOf(...turns) }), users * 6)
      const slotOf = (a: Arrival) => Math.round((a.dueNs / 1e9) * rate)
      const slots = arrivals.flatMap((a) => Array.from({ length: played(a, turns) }, (_, k) => slotOf(a) + k * users))
      const settled = slotOf(arrivals.at(-1)!)
      expect(slots.filter((s) => s < settled).sort((a, b) => a - b)).toEqual(Array.from({ length: settled }, (_, i) => i))
    }),
  )
})

test('user numbers are never used twice, and never more users than asked for are there at a time', () => {
  fc.assert(
    fc.property(cases, ({ users, rate, turns }) => {
      const arrivals = take(plan('user_centric', { options: { rate, users }, dataset: turnsOf(...turns) }), users * 6)
      expect(new Set(arrivals.map((a) => a.user)).size).toBe(arrivals.length)
      const gap = users / rate
      for (const at of arrivals.map((a) => a.dueNs / 1e9 + 0.4 / rate))
        expect(arrivals.filter((a) => a.dueNs / 1e9 <= at && at < a.dueNs / 1e9 + played(a, turns) * gap).length).toBeLessThanOrEqual(users)
    }),
    { numRuns: 50 },
  )
})

test('the first users are at different turns of their conversations', () => {
  const first = take(plan('user_centric', { options: { rate: 1, users: 9 }, dataset: turnsOf(10) }), 9)
  expect(first.map((a) => a.turns ?? 10).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10])
})

test('sessions are those of the sampler, each arrival the next one', () => {
  const arrivals = take(plan('user_centric', { options: { rate: 1, users: 3 }, dataset: turnsOf(2, 3, 4, 5) }), 10)
  expect(arrivals.map((a) => a.session)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
})

test('single-turn data is refused with what to do', () => {
  expect(() => plan('user_centric', { options: { rate: 1, users: 2 }, dataset: turnsOf(1, 1) })).toThrow(/2 turns or more/)
})

test('fewer requests or sessions than users are refused', () => {
  const problems = check('user_centric', { options: { rate: 1, users: 5 }, phase: { requests: 4, sessions: 3 } })
  expect(problems.map((p) => p.flags)).toEqual([['--request-count', '--num-users'], ['--num-sessions', '--num-users']])
})
