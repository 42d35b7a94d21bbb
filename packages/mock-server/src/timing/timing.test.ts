import { expect, test } from 'vitest'
import { chat, CHAT, chatBody } from '../../test/chat.js'
import { RawClient } from '../../test/raw-client.js'
import { startMockServer } from '../index.js'
import { resolveOptions } from '../options/resolve.js'
import { sampler, type DistributionKind } from './distribution.js'
import { Random } from './random.js'
import { TokenTimes } from './token-times.js'

test.each<[DistributionKind, number]>([
  ['fixed', 0],
  ['normal', 3],
  ['lognormal', 12],
  ['uniform', 4],
  ['exponential', 20],
])('%s has the mean and deviation asked for', (kind, stddev) => {
  const law = sampler(kind, 20, stddev)
  const random = new Random(1, 2, 3)
  const values = Array.from({ length: 50_000 }, () => law.sample(random))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  expect(mean).toBeCloseTo(20, 0)
  expect(Math.abs(deviation - stddev)).toBeLessThanOrEqual(0.04 * stddev)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
})

test.each(['thread', 'spin', 'timer'] as const)('nothing is sent before it is due, and lateness does not add up (%s)', async (pacing) => {
  await using server = await startMockServer({ pacing, ttftMs: 30, itlMs: 1, outputTokens: 1000, honorMaxTokens: false })
  await Promise.all(Array.from({ length: 4 }, () => chat(server)))
  for (const { sentUs } of server.truth()) {
    const late = Array.from(sentUs, (us, index) => us - (30_000 + 1000 * index))
    expect(Math.min(...late)).toBeGreaterThanOrEqual(-1)
    // If each gap were prolonged by a timer's millisecond, the last 50 tokens would all be 950 ms late and more.
    expect(Math.min(...late.slice(-50))).toBeLessThan(500_000)
  }
  const { lateness } = server.stats()
  expect(lateness.counts.reduce((sum, count) => sum + count, 0)).toBe(4 * 1000)
})

test('an event with several tokens is due when its first token is', async () => {
  await using server = await startMockServer({ ttftMs: 20, itlMs: 3, outputTokens: 9, tokensPerChunk: 4 })
  await chat(server)
  const [first, second, third] = server.truth()[0]!.sentUs
  expect(first).toBeGreaterThanOrEqual(19_999)
  expect(second).toBeGreaterThanOrEqual(31_999)
  expect(third).toBeGreaterThanOrEqual(43_999)
})

test('a whole answer is due with its last token', async () => {
  await using server = await startMockServer({ ttftMs: 20, itlMs: 5, outputTokens: 11 })
  await chat(server, { stream: false })
  const { sentUs } = server.truth()[0]!
  expect(sentUs).toHaveLength(1)
  expect(sentUs[0]).toBeGreaterThanOrEqual(69_999)
})

test('the same seed draws the same times for each request', () => {
  const dueMs = (seed: number) => {
    const times = new TokenTimes(resolveOptions({ seed, ttftMs: 30, ttftStddevMs: 15, itlMs: 5, itlDistribution: 'exponential' }))
    return Array.from({ length: 20 }, (_, ordinal) => {
      const gapMs = times.gaps(ordinal)
      return [times.ttftMs(ordinal), gapMs(1), gapMs(3)]
    })
  }
  expect(dueMs(3)).toEqual(dueMs(3))
  expect(dueMs(4)).not.toEqual(dueMs(3))
  expect(new Set(dueMs(3).flat()).size).toBe(60)
})

test('instant answers come as one event a write, or all in one', async () => {
  for (const coalesce of [false, true]) {
    await using server = await startMockServer({ instant: true, coalesce, outputTokens: 30 })
    const client = await RawClient.open(server)
    const response = await client.post(CHAT, chatBody())
    expect(response.chunks).toHaveLength(33)
    if (coalesce) expect(client.reads).toHaveLength(1)
    client.close()
  }
})

test('pings come while a stream waits', async () => {
  await using server = await startMockServer({ ttftMs: 100, pingMs: 20, outputTokens: 1 })
  const { chunks } = await chat(server)
  expect(chunks.slice(0, 4)).toEqual([': ping\n\n', ': ping\n\n', ': ping\n\n', ': ping\n\n'])
})
