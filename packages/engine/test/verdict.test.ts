import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startMockServer, type MockServer, type MockServerOptions } from '@aiperf/mock-server'
import { profile, scratch, type Profiled } from '../test-support/profile.js'
import { slowedTransport } from '../test-support/slowed.js'

let server: MockServer
const start = async (options: MockServerOptions = {}): Promise<string> => {
  server = await startMockServer({ port: 0, seed: 1, ...(options.model ? {} : { ttftMs: 10, itlMs: 1 }), ...options })
  return server.url
}
afterEach(() => server.close())

const chat = '--streaming --isl 20 --osl 5 --random-seed 7'
const level = (run: Profiled, code: string): string | undefined => run.result.verdict.reasons.find((r) => r.code === code)?.level

describe('the verdict names what is wrong with a run', () => {
  it('too few requests, no warm-up; and neither when there are enough and one', async () => {
    const url = await start({ ttftMs: 1 })
    const few = await profile(url, `${chat} --concurrency 2 --request-count 10`)
    expect(level(few, 'too-few-samples')).toBe('suspect')
    expect(level(few, 'no-warmup')).toBe('note')
    const enough = await profile(url, `${chat} --concurrency 8 --request-count 400 --warmup-request-count 8`)
    expect(level(enough, 'too-few-samples')).toBeUndefined()
    expect(level(enough, 'no-warmup')).toBeUndefined()
  })

  it('failed requests; and --strict makes them an exit code', async () => {
    const run = await profile(await start({ faults: { errorRate: 0.3 } }), `${chat} --concurrency 4 --request-count 60 --strict`)
    expect(level(run, 'error-rate')).toBe('invalid')
    expect(run.result.verdict.verdict).toBe('invalid')
    expect(run.exitCode).toBe(3)
  })

  it('a client that is held up, and a schedule that is late for it', async () => {
    const url = await start()
    const run = await profile(url, `${chat} --request-rate 100 --arrival-pattern constant --request-count 80`, {
      index: slowedTransport(40, 10),
      change: (model) => (model.transport = { type: 'slowed', options: {} }),
    })
    expect(level(run, 'schedule-lag')).toBe('invalid')
    expect(level(run, 'client-delayed')).toBe('invalid')
  })

  it('a worker that is busy all the time', async () => {
    const url = await start()
    const run = await profile(url, `${chat} --concurrency 8 --request-count 150`, {
      index: slowedTransport(15, 1),
      change: (model) => (model.transport = { type: 'slowed', options: {} }),
    })
    expect(level(run, 'client-saturated')).toBeDefined()
  })

  it('a rate that was not reached, and arrivals that were dropped', async () => {
    const url = await start({ ttftMs: 60 })
    const flags = `${chat} --request-rate 100 --arrival-pattern constant --concurrency 1 --benchmark-duration 1`
    const queued = await profile(url, flags)
    expect(level(queued, 'rate-not-achieved')).toBe('invalid')
    expect(queued.printed.split('\n').slice(0, 12).join('\n')).toMatch(/requests\/s were sent where 100 were due/)
    expect(level(await profile(url, `${flags} --overload skip`), 'arrivals-dropped')).toBe('invalid')
  })

  it('a server that cannot keep up with an open loop; and not one that can', async () => {
    const url = await start({ model: { maxRunning: 2, stepMs: 4, prefillMsPerToken: 0.05 } })
    const beyond = await profile(url, `${chat} --request-rate 300 --arrival-pattern constant --request-count 240`)
    expect(level(beyond, 'rate-not-sustained')).toBe('suspect')
    expect(beyond.result.verdict.reasons.find((r) => r.code === 'rate-not-sustained')!.message).toMatch(/finished \d+.* where \d+ were sent.*in the server, not in this client/)
    await server.close()
    // Answers take so long that a machine which stops for a moment makes them longer by a part of that only.
    const within = await profile(await start({ ttftMs: 300 }), `${chat} --request-rate 100 --arrival-pattern constant --request-count 200`)
    expect(level(within, 'rate-not-sustained')).toBeUndefined()
  })

  it('requests that were unfinished at the deadline', async () => {
    const url = await start({ ttftMs: 200, ttftDistribution: 'exponential' })
    const run = await profile(url, `${chat} --concurrency 8 --benchmark-duration 0.5 --benchmark-grace-period 0`)
    expect(level(run, 'censored')).toBeDefined()
    expect(run.rows.filter((r) => r.outcomeName === 'censored').length).toBeGreaterThan(0)
  })

  it('a prefix cache that an earlier run warmed', async () => {
    const url = await start({ model: { cacheBlockTokens: 16, prefillMsPerToken: 0.01, stepMs: 1 } })
    const flags = '--streaming --isl 200 --osl 3 --random-seed 7 --concurrency 2 --request-count 20'
    expect(level(await profile(url, flags), 'cache-contamination')).toBeUndefined()
    expect(level(await profile(url, flags), 'cache-contamination')).toBeDefined()
  })

  it('a tokenizer that disagrees with the server', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(bytesOnly()))
    const url = await start({ usage: 'always' })
    expect(level(await profile(url, `${chat} --concurrency 2 --request-count 10`), 'token-mismatch')).toBeUndefined()
    const run = await profile(url, `${chat} --concurrency 2 --request-count 10`, { change: (model) => (model.tokenizer.name = folder) })
    expect(level(run, 'token-mismatch')).toBeDefined()
  })
})

/** A tokenizer for which every byte is a token. */
function bytesOnly(): object {
  const printable = (b: number): boolean => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174
  let next = 256
  const vocab: Record<string, number> = {}
  for (let b = 0; b < 256; b++) vocab[String.fromCodePoint(printable(b) ? b : next++)] = b
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false, vocab, merges: [] },
  }
}
