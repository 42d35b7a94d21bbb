import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check, dataset, plan, take } from '../test-support/plan.js'

const stamp = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 5000, noNaN: true }))
const traces = fc.array(fc.tuple(stamp, fc.array(fc.option(stamp, { nil: undefined }), { maxLength: 4 })), { minLength: 1, maxLength: 40 })
const all = (sessions: (number | undefined)[][], options = {}) => {
  const load = plan('fixed_schedule', { dataset: dataset(sessions), options })
  return { load, arrivals: take(load, Infinity) }
}

test('every session once, in order of time, at its time stamp less the first one', () => {
  fc.assert(
    fc.property(traces, (rows) => {
      const sessions = rows.map(([first, later]) => [first, ...later])
      const { load, arrivals } = all(sessions)
      const zero = Math.min(...rows.map(([first]) => first))
      expect(arrivals.map((a) => a.session!).sort((a, b) => a - b)).toEqual(rows.map((_, i) => i))
      arrivals.forEach((a) => expect(a.dueNs).toBe(Math.round((rows[a.session!]![0] - zero) * 1e6)))
      for (let i = 1; i < arrivals.length; i++) expect(arrivals[i]!.dueNs).toBeGreaterThanOrEqual(arrivals[i - 1]!.dueNs)
      expect(load.totals).toEqual({ requests: sessions.flat().length, sessions: rows.length })
      expect(load.nextTurn).toEqual({ kind: 'schedule', zeroMs: zero })
    }),
  )
})

test('sessions at one time keep the order of the file', () => {
  expect(all([[5], [3], [5], [3], [5]]).arrivals.map((a) => a.session)).toEqual([1, 3, 0, 2, 4])
})

test('wall-clock time stamps with fractions lose nothing', () => {
  const { arrivals } = all([[1760000000000], [1760000000250.5], [1760000001000]])
  expect(arrivals.map((a) => a.dueNs)).toEqual([0, 250.5e6, 1e9])
})

describe('offsets', () => {
  const window = [[0], [99], [100], [150], [200], [201]]

  test('both ends are in the window, and time counts from its start', () => {
    const { load, arrivals } = all(window, { startOffset: 100, endOffset: 200 })
    expect(arrivals.map((a) => a.dueNs / 1e6)).toEqual([0, 50, 100])
    expect(load.totals).toEqual({ requests: 3, sessions: 3 })
  })

  test('without auto offset time 0 is that of the trace', () => {
    expect(all([[50], [70]], { autoOffset: false }).arrivals.map((a) => a.dueNs / 1e6)).toEqual([50, 70])
    expect(all([[50], [70]], { startOffset: 20 }).arrivals.map((a) => a.dueNs / 1e6)).toEqual([30, 50])
  })

  test('a session that began before the window begins at its first turn within it; one that goes on after it is cut', () => {
    const sessions = [[50, 120, undefined, 300], [110, undefined, 180], [120, 250, 260]]
    const { load, arrivals } = all(sessions, { startOffset: 100, endOffset: 200 })
    expect(arrivals).toEqual([
      { dueNs: 10e6, session: 1 },
      { dueNs: 20e6, session: 0, firstTurn: 1, turns: 2 },
      { dueNs: 20e6, session: 2, turns: 1 },
    ])
    expect(load.totals).toEqual({ requests: 6, sessions: 3 })
    expect(all(sessions, { startOffset: 100, endOffset: 200, straddling: 'drop' }).arrivals.map((a) => a.session)).toEqual([1, 2])
  })

  test('a turn with a delay goes with the turn before it, so that none is left without a time', () => {
    expect(() => all([[50, undefined]], { startOffset: 100 })).toThrow(/no session of the dataset/)
  })
})

test('a session without a time stamp is named', () => {
  expect(() => all([[1], [undefined, 4], [2]])).toThrow(/1 of 3 sessions have no timestamp.*session-1/)
})

test('the offered rate is that of the recorded requests, later turns included', () => {
  const load = plan('fixed_schedule', { dataset: dataset(Array.from({ length: 100 }, (_, i) => [i * 100, i * 100 + 50])) })
  expect(load.offeredRate!(5e9)).toBe(20)
  expect(load.offeredRate!(60e9)).toBe(0)
})

test.each([
  [{}, []],
  [{ autoOffset: false, startOffset: 5, endOffset: 5 }, []],
  [{ autoOffset: true, startOffset: 5 }, ['--fixed-schedule-auto-offset --fixed-schedule-start-offset']],
  [{ startOffset: 6, endOffset: 5, autoOffset: true }, ['--fixed-schedule-auto-offset --fixed-schedule-start-offset', '--fixed-schedule-start-offset --fixed-schedule-end-offset']],
])('rules between options: %j', (options, expected) => {
  expect(check('fixed_schedule', { options }).map((p) => p.flags.join(' '))).toEqual(expected)
})
