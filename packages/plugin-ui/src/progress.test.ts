import { expect, test } from 'vitest'
import { snapshot } from '../test-support/snapshots.js'
import { bytes, clock, count, decimal } from './format.js'
import { progressOf } from './progress.js'

test.each([
  ['requests', { expected: { requests: 100 }, completed: 25, elapsedSeconds: 10 }, { share: 0.25, leftSeconds: 30, text: '25 / 100 requests' }],
  ['a duration', { expected: { seconds: 60 }, elapsedSeconds: 45 }, { share: 0.75, leftSeconds: 15, text: '0:45 / 1:00' }],
  ['sessions', { expected: { sessions: 8 }, sessionsCompleted: 2, elapsedSeconds: 6 }, { share: 0.25, leftSeconds: 18, text: '2 / 8 sessions' }],
  ['the condition that is met first', { expected: { requests: 100, seconds: 60 }, completed: 25, elapsedSeconds: 45 }, { share: 0.75, leftSeconds: 15, text: '0:45 / 1:00' }],
  ['an end that is not known', { expected: {}, completed: 25 }, { share: undefined, leftSeconds: undefined, text: '25 requests' }],
  ['nothing done yet', { expected: { requests: 100 }, completed: 0 }, { share: 0, leftSeconds: undefined, text: '0 / 100 requests' }],
  ['more than expected', { expected: { requests: 10 }, completed: 12 }, { share: 1, leftSeconds: 0, text: '12 / 10 requests' }],
])('%s', (_what, more, expected) => expect(progressOf(snapshot(more))).toEqual(expected))

test('numbers are written the same everywhere', () => {
  expect([0, 0.004, 5.04, 9.996, 52.14, 99.96, 1413.4, undefined, NaN].map(decimal)).toEqual(['0.00', '0.00', '5.04', '10.0', '52.1', '100', '1,413', '–', '–'])
  expect([0, 59.6, 3599, 3600, 90061].map(clock)).toEqual(['0:00', '1:00', '59:59', '1:00:00', '25:01:01'])
  expect([0, 1023, 1024, 3_355_443, 2 ** 41].map(bytes)).toEqual(['0 B', '1023 B', '1.0 KiB', '3.2 MiB', '2.0 TiB'])
  expect([1234567, undefined].map(count)).toEqual(['1,234,567', '–'])
})
