import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { PhaseModel } from '@aiperf/core'
import { startMockServer, type MockServer, type MockServerOptions } from '@aiperf/mock-server'
import { metric, profile } from '../test-support/profile.js'

let server: MockServer
const start = async (options: MockServerOptions = {}): Promise<string> => {
  server = await startMockServer({ port: 0, seed: 1, ...(options.model ? {} : { ttftMs: 10, itlMs: 1 }), ...options })
  return server.url
}
afterEach(() => server.close())

const chat = '--streaming --isl 20 --osl 5 --random-seed 7'
const phase = (name: string, options: PhaseModel['options'], rest: Partial<PhaseModel>): PhaseModel => ({
  name, kind: 'profiling', mode: 'concurrency', options, graceSeconds: 30, seamless: false, onTurnError: 'continue', ...rest,
})

describe('several phases', () => {
  it('play in order, one after the other has returned, and are measured apart and together', async () => {
    const url = await start({ ttftMs: 40 })
    const run = await profile(url, `${chat} --concurrency 1 --request-count 1`, {
      change: (model) => {
        model.phases = [
          phase('warm', { concurrency: 2 }, { kind: 'warmup', durationSeconds: 0.2 }),
          phase('low', { concurrency: 2 }, { requests: 10 }),
          phase('high', { concurrency: 6 }, { requests: 24 }),
        ]
      },
    })
    const of = (index: number) => run.rows.filter((r) => r.phase === index)
    expect([of(1).length, of(2).length]).toEqual([10, 24])
    expect(Math.max(...of(0).map((r) => r.endNs))).toBeLessThanOrEqual(Math.min(...of(1).map((r) => r.dispatchedNs)))
    expect(Math.max(...of(1).map((r) => r.endNs))).toBeLessThanOrEqual(Math.min(...of(2).map((r) => r.dispatchedNs)))
    expect(run.result.phases.map((p) => [p.info.name, p.info.kind, p.metrics.get('request_count')?.avg])).toEqual([
      ['warm', 'warmup', of(0).length], ['low', 'profiling', 10], ['high', 'profiling', 24],
    ])
    expect(metric(run, 'request_count')).toBe(34)
    for (const part of run.result.phases)
      expect(part.metrics.get('request_throughput')!.avg! * part.window.seconds).toBeCloseTo(part.metrics.get('request_count')!.avg!, 6)
  })

  it('overlap when the next is seamless, under the newer limit', async () => {
    const url = await start({ ttftMs: 300 })
    const run = await profile(url, `${chat} --concurrency 1 --request-count 1`, {
      change: (model) => {
        model.phases = [phase('first', { concurrency: 4 }, { requests: 4 }), phase('second', { concurrency: 6 }, { requests: 8, seamless: true })]
      },
    })
    const [first, second] = [0, 1].map((index) => run.rows.filter((r) => r.phase === index))
    expect([first!.length, second!.length]).toEqual([4, 8])
    expect(Math.min(...second!.map((r) => r.dispatchedNs))).toBeLessThan(Math.min(...first!.map((r) => r.endNs)))
    expect(server.stats().maxInFlight).toBe(6)
  })
})

describe('many short phases', () => {
  it.each([true, false])('lose no arrival where one begins while answers of the one before are read (seamless: %s)', async (seamless) => {
    const url = await start({ ttftMs: 2 })
    const run = await profile(url, '--streaming --isl 20 --osl 40 --random-seed 7 --request-rate 1 --request-count 1', {
      change: (model) => {
        model.phases = Array.from({ length: 25 }, (_, i) =>
          phase(`part ${i}`, { rate: 500, pattern: 'constant' } as PhaseModel['options'], { mode: 'request_rate', requests: 10, seamless: seamless && i > 0 }),
        )
      },
    })
    expect(run.result.phases.map((p) => p.info.counts.sent)).toEqual(Array(25).fill(10))
    expect(run.rows.map((row) => row.phase).sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, i) => Math.floor(i / 10)))
  })
})

describe('adaptive scale', () => {
  it('climbs until an objective is missed, then holds what held', async () => {
    // One step of the model takes 4 ms and 2 ms per running sequence: 20 ms between tokens are reached with 8 at once.
    const url = await start({ model: { maxRunning: 64, stepMs: 4, stepMsPerSequence: 2, prefillMsPerToken: 0.01 } })
    const run = await profile(url, `${chat} --concurrency 1 --request-count 1`, {
      change: (model) => {
        model.phases = [
          phase('scale', {
            concurrency: 32,
            overload: 'queue',
            sla: [{ metric: 'inter_token_latency', stat: 'p50', op: 'le', threshold: 20 }],
            adaptiveScale: {
              controlVariable: 'concurrency', min: 2, max: 32, assessmentWindow: 0.4, sustainDuration: 0.8, minCompletedRequests: 1,
              stepPolicy: 'fixed_percent_step', stepPercent: 60, baseStep: 10, maxStepMultiplier: 4,
            },
          } as unknown as PhaseModel['options'], { mode: 'adaptive_scale', durationSeconds: 15 }),
        ]
      },
    })
    const folder = join(run.directory, 'phases', 'scale')
    const events = readFileSync(join(folder, 'adaptive_scale_events.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.length).toBeGreaterThan(3)
    expect(run.result.phases[0]!.info.endedBy).toBe('adaptive')
    expect(JSON.parse(readFileSync(join(folder, 'adaptive_scale_summary.json'), 'utf8'))).toBeTypeOf('object')
    // It climbed beyond where it began, and did not stay at the top.
    expect(server.stats().maxInFlight).toBeGreaterThan(2)
    expect(server.stats().maxInFlight).toBeLessThan(32)
  })
})
