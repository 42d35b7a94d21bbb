import { createRandom } from '@aiperf/core'
import { runResult, type MadeRun } from './run-result.js'
import type { MadeRecord } from './records.js'
import type { RunResult } from '@aiperf/core'

/** Forty streamed requests at concurrency 4, three of them refused by the server. */
export function typicalRecords(count = 40, phase = 0, fromMs = 0): MadeRecord[] {
  const random = createRandom(7, 'typical')
  const records: MadeRecord[] = []
  const slots = [0, 0, 0, 0].map(() => fromMs + random.next())
  for (let i = 0; i < count; i++) {
    const slot = slots.indexOf(Math.min(...slots))
    const startMs = slots[slot]!
    const failed = i % 13 === 5
    const firstMs = 30 + 15 * random.exponential()
    const gapsMs = Array.from({ length: 19 }, () => 4 + 2 * random.exponential())
    records.push(failed
      ? { phase, session: i, startMs, restMs: 3, outcome: 'http_error', error: { code: 503, type: 'Service Unavailable', message: 'overloaded', category: 'http_error' } }
      : { phase, session: i, startMs, firstMs, gapsMs, facts: { usagePrompt: 107 } })
    slots[slot] = startMs + (failed ? 3 : firstMs + gapsMs.reduce((a, b) => a + b, 0) + 1)
  }
  return records
}

export function typicalRun(change?: MadeRun['change']): RunResult {
  return runResult({ records: typicalRecords(), ...(change ? { change } : {}) })
}

/** A warm-up of four requests, then forty. */
export function warmedRun(change?: MadeRun['change']): RunResult {
  return runResult({
    phases: [{ name: 'warmup', kind: 'warmup' }, { name: 'profiling', kind: 'profiling' }],
    records: [...typicalRecords(4), ...typicalRecords(40, 1, 400)],
    ...(change ? { change } : {}),
  })
}

/** No request got through. */
export function failedRun(change?: MadeRun['change']): RunResult {
  const error = { type: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:9', category: 'connection' as const }
  return runResult({
    records: Array.from({ length: 10 }, (_, i) => ({ startMs: i, restMs: 0.2, outcome: 'connection' as const, error })),
    change: (run) => {
      run.verdict = { verdict: 'invalid', reasons: [{ code: 'error-rate', level: 'invalid', message: 'all 10 requests failed', value: 100, threshold: 5 }] }
      run.profiling.absent = [{ tag: 'time_to_first_token', reason: 'no request succeeded' }, { tag: 'request_latency', reason: 'no request succeeded' }]
      change?.(run)
    },
  })
}
