import { expect, test } from 'vitest'
import { snapshot } from '../../test-support/snapshots.js'
import { lateness, warningsOf } from './warnings.js'

const worker = snapshot().workers[0]!

test.each([
  ['nothing to say', {}, []],
  ['a busy worker', { workers: [worker, { ...worker, id: 3, utilization: 0.97 }] }, [/client saturated: worker 3 is busy 97 %/]],
  ['late requests', { latency: { ttft: { p50: 50, p90: 60, p99: 70 }, lag: { p50: 1, p90: 2, p99: 3 } } }, [/leave late: lag p99 3\.00 ms/]],
  ['a lag that is small beside the latency', { latency: { latency: { p50: 500, p90: 600, p99: 700 }, lag: { p50: 1, p90: 2, p99: 20 } } }, []],
  ['a rate that is not reached', { offeredPerSecond: 100, achievedPerSecond: 49.9 }, [/49 % of the offered rate/]],
  ['a rate that has just begun', { offeredPerSecond: 100, achievedPerSecond: 1, elapsedSeconds: 4 }, []],
  ['skipped arrivals', { skipped: 1200 }, [/1,200 arrivals found no free slot/]],
  ['recorders behind', { backlogBytes: 2 ** 30 }, [/1\.0 GiB behind/]],
])('%s', (_what, more, expected) => {
  const warnings = warningsOf(snapshot(more))
  expect(warnings).toHaveLength(expected.length)
  expected.forEach((pattern, i) => expect(warnings[i]).toMatch(pattern))
})

test('lateness is 1 at a twentieth of what is measured, and at 2 ms where that is less', () => {
  expect(lateness(snapshot({ latency: { latency: { p50: 1000, p90: 1, p99: 1 }, lag: { p50: 1, p90: 1, p99: 25 } } }))).toBe(0.5)
  expect(lateness(snapshot({ latency: { latency: { p50: 1, p90: 1, p99: 1 }, lag: { p50: 1, p90: 1, p99: 2 } } }))).toBe(1)
  expect(lateness(snapshot({ latency: {} }))).toBeUndefined()
})
