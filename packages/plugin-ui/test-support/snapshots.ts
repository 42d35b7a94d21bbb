import type { LiveSnapshot } from '@aiperf/core'
import fc from 'fast-check'

/** A run that is half done, with something in every field. */
export function snapshot(more: Partial<LiveSnapshot> = {}): LiveSnapshot {
  return {
    stage: 'profiling',
    phase: 'profiling',
    elapsedSeconds: 75,
    sent: 1266,
    completed: 1234,
    errors: 3,
    inFlight: 32,
    sessionsInFlight: 30,
    skipped: 0,
    expected: { requests: 2468 },
    offeredPerSecond: 50,
    achievedPerSecond: 49.87,
    outputTokensPerSecond: 12345,
    latency: {
      ttft: { p50: 52.14, p90: 60.3, p99: 80.2 },
      itl: { p50: 5.04, p90: 5.31, p99: 7.1 },
      latency: { p50: 310, p90: 352.4, p99: 1413 },
      lag: { p50: 0.08, p90: 0.2, p99: 0.61 },
    },
    errorClasses: [
      { type: 'HTTP 503', count: 2, message: 'the queue is full' },
      { type: 'incomplete', count: 1, message: 'no finish reason' },
    ],
    workers: [
      { id: 0, inFlight: 16, sent: 633, completed: 617, errors: 1, utilization: 0.41, bytesRead: 3_355_443 },
      { id: 1, inFlight: 16, sent: 633, completed: 617, errors: 2, utilization: 0.53, bytesRead: 3_355_443 },
    ],
    backlogBytes: 0,
    telemetry: [
      { source: 'dcgm', label: 'GPU 0 power', value: '640 W' },
      { source: 'server', label: 'requests running', value: '31' },
    ],
    ...more,
  }
}

const number = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true }))
const whole = fc.nat(1e9)
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
const percentiles = fc.option(fc.record({ p50: number, p90: number, p99: number }), { nil: undefined })
const few = { maxLength: 12 }

/** Any snapshot that keeps the contract, the improbable ones too. */
export const anySnapshot: fc.Arbitrary<LiveSnapshot> = fc.record(
  {
    stage: fc.constantFrom('preparing', 'warmup', 'profiling', 'grace', 'records', 'exporting', 'done'),
    phase: text,
    preparing: fc.record({ what: text, done: whole, total: whole }, { requiredKeys: ['what', 'done'] }),
    elapsedSeconds: number,
    sent: whole,
    completed: whole,
    errors: whole,
    inFlight: whole,
    sessionsInFlight: whole,
    skipped: whole,
    expected: fc.record({ requests: whole, sessions: whole, seconds: number }, { requiredKeys: [] }),
    offeredPerSecond: number,
    achievedPerSecond: number,
    outputTokensPerSecond: number,
    latency: fc.record({ ttft: percentiles, itl: percentiles, latency: percentiles, lag: percentiles }),
    errorClasses: fc.array(fc.record({ type: text, count: whole, message: text }), few),
    workers: fc.array(fc.record({ id: whole, inFlight: whole, sent: whole, completed: whole, errors: whole, utilization: fc.double({ min: 0, max: 1.2, noNaN: true }), bytesRead: whole }), few),
    backlogBytes: whole,
    telemetry: fc.array(fc.record({ source: text, label: text, value: text }), few),
    sweep: fc.record({ done: fc.nat(99), total: fc.nat(99), point: text, best: text }, { requiredKeys: ['done', 'point'] }),
  },
  {
    requiredKeys: ['stage', 'phase', 'elapsedSeconds', 'sent', 'completed', 'errors', 'inFlight', 'sessionsInFlight', 'skipped', 'expected', 'achievedPerSecond', 'outputTokensPerSecond', 'latency', 'errorClasses', 'workers', 'backlogBytes', 'telemetry'],
  },
) as fc.Arbitrary<LiveSnapshot>
