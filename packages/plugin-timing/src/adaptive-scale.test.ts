import type { Adaptation, LoadPlan, WindowStats } from '@aiperf/core'
import { describe, expect, test } from 'vitest'
import { check, plan, turnsOf } from '../test-support/plan.js'

const sla = [{ metric: 'time_to_first_token', stat: 'p95', op: 'lt', threshold: 100 }]
const given = (adaptiveScale: object, rest: object = {}) => ({
  options: { adaptiveScale: { sustainDuration: 60, ...adaptiveScale }, sla, concurrency: 100, ...rest },
  phase: { durationNs: 3600e9 },
  dataset: turnsOf(3),
})

/** Windows of 30 s, measured from a server whose latency is a function of the load. */
function drive(load: LoadPlan, latency: (value: number, window: number) => number | 'error' | 'nothing', windows = 50): { tried: number[]; last: Adaptation; adaptations: Adaptation[] } {
  let value = load.adapt!.initial
  const tried: number[] = []
  const adaptations: Adaptation[] = []
  for (let index = 0; index < windows; index++) {
    tried.push(value)
    const ms = latency(value, index)
    const stats: WindowStats = {
      index,
      startNs: index * 30e9,
      endNs: (index + 1) * 30e9,
      completed: ms === 'nothing' ? 0 : 20,
      errors: ms === 'error' ? 20 : 0,
      value: (tag, stat) => (typeof ms === 'number' && tag === 'time_to_first_token' && stat === 'p95' ? ms : undefined),
    }
    const adaptation = load.adapt!.assess(stats)
    adaptations.push(adaptation)
    value = adaptation.value ?? value
    if (adaptation.stop) break
  }
  return { tried, last: adaptations.at(-1)!, adaptations }
}

describe('the search', () => {
  test('steps up by the room below the objective, then holds the last good value', () => {
    const load = plan('adaptive_scale', given({}))
    const { tried, last } = drive(load, (value) => value * 2)
    // Room at 1: 98 % → 3 base steps; at 31: 38 % → 1; at 41: 18 % → 1; 51 fails; 41 is held for two windows.
    expect(tried).toEqual([1, 31, 41, 51, 41, 41])
    expect(last.stop).toBe('complete')
    expect(load.adapt!.summary()).toMatchObject({ outcome: 'complete', lastGood: 41, firstFailing: 51, value: 41 })
  })

  test('a fixed share of the value, rounded up', () => {
    const { tried } = drive(plan('adaptive_scale', given({ stepPolicy: 'fixed_percent_step', min: 2, stepPercent: 50 })), (value) => value * 8)
    expect(tried).toEqual([2, 3, 5, 8, 12, 18, 12, 12])
  })

  test('fails at the first value', () => expect(drive(plan('adaptive_scale', given({})), () => 200).last.stop).toBe('failed'))

  test('says that the limit was not found when the maximum passes', () => {
    const { tried, last } = drive(plan('adaptive_scale', given({ max: 50 })), () => 1)
    expect([tried.at(-1), last.stop]).toEqual([50, 'incomplete'])
  })

  test('waits while nothing has completed, and fails when all did with errors', () => {
    const { tried, last } = drive(plan('adaptive_scale', given({ max: 50 })), (_value, window) => (window < 3 ? 'nothing' : 1))
    expect(tried.slice(0, 4)).toEqual([1, 1, 1, 1])
    expect(last.stop).toBe('incomplete')
    expect(drive(plan('adaptive_scale', given({})), () => 'error').last.stop).toBe('failed')
  })

  test('while holding, one step down is allowed after a good window, and the time begins anew', () => {
    const { tried, last } = drive(plan('adaptive_scale', given({})), (value, window) => (window === 4 ? 150 : value * 2))
    expect(tried).toEqual([1, 31, 41, 51, 41, 31, 31])
    expect(last.stop).toBe('complete')
  })

  test('two failing windows in a row end it', () => {
    const { tried, last } = drive(plan('adaptive_scale', given({})), (value, window) => (window >= 4 ? 150 : value * 2))
    expect(tried).toEqual([1, 31, 41, 51, 41, 31])
    expect(last.stop).toBe('failed')
  })

  test('requests sent before a change do not count after it', () => {
    const { adaptations } = drive(plan('adaptive_scale', given({})), (value) => value * 2)
    for (const a of adaptations) expect(a.countFromNs).toBe(a.value === undefined ? undefined : a.event.endNs)
  })
})

describe('what is changed', () => {
  test('concurrency and prefill are limits of the plan, the other limit stays', () => {
    expect(plan('adaptive_scale', given({ min: 4 }))).toMatchObject({ arrivals: { kind: 'asap' }, limits: { sessions: [{ atNs: 0, value: 4 }] }, adapt: { variable: 'sessions' } })
    expect(plan('adaptive_scale', given({ controlVariable: 'prefill_concurrency', max: 9 })).limits).toEqual({
      sessions: [{ atNs: 0, value: 100 }],
      prefill: [{ atNs: 0, value: 1 }],
    })
  })

  /** Draws as the engine does: the next one only when the last is due. */
  function run(load: LoadPlan, secondsPerWindow: number, windows: number, latency: (value: number) => number) {
    const counts: number[] = []
    let endNs = secondsPerWindow * 1e9
    let count = 0
    if (load.arrivals.kind !== 'timed') throw new Error('no arrivals')
    let lastNs = 0
    let value = load.adapt!.initial
    while (counts.length < windows) {
      const a = load.arrivals.next()!
      expect(a.dueNs).toBeGreaterThanOrEqual(lastNs)
      lastNs = a.dueNs
      while (a.dueNs >= endNs && counts.length < windows) {
        counts.push(count)
        count = 0
        const measured = latency(value)
        const startNs = endNs - secondsPerWindow * 1e9
        value = load.adapt!.assess({ index: counts.length, startNs, endNs, completed: 5, errors: 0, value: () => measured }).value ?? value
        endNs += secondsPerWindow * 1e9
      }
      if (!a.pause) count++
    }
    return counts
  }

  test('the rate: arrivals follow each change within a tenth of a second', () => {
    const options = { rate: 500, pattern: 'constant', concurrency: undefined }
    const load = plan('adaptive_scale', given({ controlVariable: 'request_rate', min: 0.2, stepPolicy: 'fixed_percent_step', stepPercent: 900, assessmentWindow: 10 }, options))
    // 0.2/s, then 0.2 + 2 (the share, at least 1)…
    const counts = run(load, 10, 3, () => 1)
    expect(counts[0]).toBe(2)
    expect(counts[1]).toBeGreaterThanOrEqual(20)
    expect(counts[1]).toBeLessThanOrEqual(23)
    expect(load.offeredRate!(15e9)).toBeCloseTo(2.2)
    expect(counts[2]).toBeGreaterThanOrEqual(215)
  })

  test('the users: sessions start as users join, long before those who are there have ended', () => {
    const options = { rate: 100, users: 50, concurrency: undefined }
    const load = plan('adaptive_scale', { ...given({ controlVariable: 'users', min: 1, baseStep: 5, maxStepMultiplier: 1 }, options), dataset: turnsOf(1000) })
    expect(load.nextTurn).toEqual({ kind: 'every', gapNs: 500e6 })
    expect(run(load, 10, 4, () => 1)).toEqual([1, 5, 5, 5])
  })
})

test('rules between options, all at once', () => {
  const flags = (adaptiveScale: object, rest: object, phase: object = { durationNs: 3600e9 }) =>
    check('adaptive_scale', { options: { adaptiveScale: { sustainDuration: 60, ...adaptiveScale }, sla, ...rest }, phase }).map((p) => p.flags.map((f) => f.replace('phases.profiling.', '')))
  expect(flags({}, { concurrency: 10 })).toEqual([])
  expect(flags({}, {}, {})).toEqual([['duration'], ['concurrency', 'adaptiveScale.max']])
  expect(flags({ min: 20 }, { concurrency: 10, concurrencyRamp: { duration: 3 } })).toEqual([['adaptiveScale.min', 'adaptiveScale.max'], ['adaptiveScale.controlVariable']])
  expect(flags({ controlVariable: 'users' }, { users: 3 })).toEqual([['users', 'rate']])
  expect(flags({ min: 1.5 }, { concurrency: 10 })).toEqual([['adaptiveScale.min', 'adaptiveScale.max']])
})
