import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMockServer } from '../packages/mock-server/dist/index.js'
import { bundle } from '../scripts/bundle.mjs'
import { countAllocation, countWork } from './measure/work.mjs'

// What a start and a request cost, in counts that a busy machine hardly changes: how many chunks are read at once and how often
// a timer fires is all that depends on time. A limit is the count of the day it was set and a quarter more, and room for those:
// whoever exceeds one has found something to look at, or a reason to raise it.
const CHUNKS = 20
const WITHOUT_TELEMETRY = ['--no-server-metrics', '--no-gpu-telemetry']
const folder = mkdtempSync(join(tmpdir(), 'aiperf-cost-'))
let server
const profile = (requests, ...flags) => [
  'profile', '--model', 'm', '--url', server.url, '--endpoint-type', 'chat', '--tokenizer', 'builtin', '--concurrency', '8', '--request-count', String(requests),
  '--isl', '50', '--num-dataset-entries', '20', '--random-seed', '1', '--workers-max', '1', '--ui-type', 'none', '--no-calibrate', '--artifact-dir', folder, ...flags,
]
const kilobytes = (files) => files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024

beforeAll(async () => {
  expect(await bundle()).toBe(0)
  server = await startMockServer({ outputTokens: CHUNKS, instant: true })
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('start', () => {
  it('of help loads neither the engine nor any contribution', async () => {
    const { main, ...threads } = await countWork(['--help'])
    expect(Object.keys(threads)).toEqual([])
    expect(main.loaded(/packages[\\/](engine|plugin-)/)).toEqual([])
    expect(main.files.length).toBeLessThanOrEqual(12)
  })

  it('of a run loads few files in each thread, and the packages of others in none', async () => {
    const { main, worker, recorder } = await countWork(profile(8, '--streaming', ...WITHOUT_TELEMETRY))
    for (const thread of [main, worker, recorder]) expect(thread.loaded(/node_modules/)).toEqual([])
    for (const thread of [main, worker, recorder]) expect(thread.loaded(/[\\/]dist[\\/]/)).toEqual([])
    expect(worker.files.length).toBeLessThanOrEqual(20)
    expect(kilobytes(worker.files)).toBeLessThanOrEqual(300)
    expect(recorder.files.length).toBeLessThanOrEqual(25)
    expect(main.files.length).toBeLessThanOrEqual(80)
  })
})

describe('a request', () => {
  /** What `more` requests added to what some had cost. */
  const added = async (more, ...flags) => {
    const [few, many] = [await countWork(profile(100, ...flags)), await countWork(profile(100 + more, ...flags))]
    const per = (count) => (count(many) - count(few)) / more
    return { per, worker: per((w) => w.worker.calls), recorder: per((w) => w.recorder.calls), messages: per((w) => w.worker.callsOf('recycle')) }
  }

  it('with a body costs few calls, and no message of its own', async () => {
    const { worker, recorder, messages } = await added(400)
    expect(worker).toBeLessThan(140)
    expect(recorder).toBeLessThan(525)
    expect(messages).toBeLessThan(0.9)
  })

  it('with a stream costs the recorder some calls a chunk, and the worker hardly any', async () => {
    const { worker, recorder, messages } = await added(400, '--streaming')
    expect(worker / CHUNKS).toBeLessThan(25)
    expect(recorder / CHUNKS).toBeLessThan(70)
    expect(messages).toBeLessThan(0.9)
  })

  it('costs the threads that send and record the same with telemetry, which is read in a thread of its own', async () => {
    const [without, beside] = [await countWork(profile(400, '--streaming', ...WITHOUT_TELEMETRY)), await countWork(profile(400, '--streaming'))]
    expect(Object.keys(without)).not.toContain('telemetry')
    expect(beside.telemetry.loaded(/plugin-server-metrics/)).not.toEqual([])
    for (const thread of ['worker', 'recorder']) {
      expect(beside[thread].loaded(/plugin-(server-metrics|gpu)|telemetry/)).toEqual([])
      expect(beside[thread].calls / without[thread].calls).toBeLessThan(1.25)
    }
  })

  it('allocates little', async () => {
    const [few, many] = [await countAllocation(profile(2000, ...WITHOUT_TELEMETRY)), await countAllocation(profile(8000, ...WITHOUT_TELEMETRY))]
    expect((many - few) / 6000).toBeLessThan(48_000)
  })
})
