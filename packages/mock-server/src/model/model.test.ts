import { expect, test } from 'vitest'
import { chat, eventsOf, saidBy } from '../../test/chat.js'
import { startMockServer, type MockServer, type ModelOptions } from '../index.js'

const batching = (model: ModelOptions = {}) => startMockServer({ outputTokens: 5, usage: 'always', model: { stepMs: 1, stepMsPerSequence: 0, prefillMsPerToken: 0, ...model } })
const text = (chars: number) => 'lorem ipsum '.repeat(chars).slice(0, chars)
const say = (content: string) => ({ messages: [{ role: 'user', content }] })

async function metric(server: MockServer, name: string): Promise<number> {
  const exposed = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{[^}]*\\} (.*)$`, 'm').exec(exposed)?.[1])
}

async function cached(server: MockServer, extra: object): Promise<number> {
  const usage = eventsOf(await chat(server, extra)).at(-1)!.usage!
  return usage.prompt_tokens_details!.cached_tokens
}

test('no more run than may, and the others wait in order of arrival', async () => {
  await using server = await batching({ maxRunning: 4, stepMs: 20 })
  const answers = Promise.all(Array.from({ length: 12 }, () => chat(server)))
  while (server.stats().requests < 12) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(await metric(server, 'vllm:num_requests_running')).toBe(4)
  expect(await metric(server, 'vllm:num_requests_waiting')).toBeGreaterThan(0)
  for (const response of await answers) expect(response.complete).toBe(true)
  const begun = server.truth().map((record) => Number(BigInt(record.arrivalUnixNs) / 1000n) + record.sentUs[0]!)
  // The two times of a sum are rounded to a µs each.
  for (const [index, us] of begun.slice(1).entries()) expect(us - begun[index]!).toBeGreaterThanOrEqual(-2)
  // Three rounds of five steps of 20 ms, and all requests came in the first of them.
  const last = server.truth().slice(8)
  for (const record of last) expect(record.endUs).toBeGreaterThan(200_000)
  expect(await metric(server, 'vllm:num_requests_running')).toBe(0)
})

test('a step takes longer the more requests are in it', async () => {
  await using server = await batching({ stepMs: 2, stepMsPerSequence: 2 })
  await chat(server, { max_tokens: 20, ignore_eos: true })
  await Promise.all(Array.from({ length: 10 }, () => chat(server, { max_tokens: 20, ignore_eos: true })))
  const lastMs = server.truth().map(({ sentUs }) => sentUs.at(-1)! / 1000)
  // A step of prefill and 19 of 4 ms each alone, and of up to 22 ms in company.
  expect(lastMs[0]).toBeGreaterThan(77.9)
  expect(Math.max(...lastMs.slice(1))).toBeGreaterThan(200)
})

test('prefill takes its time, and a long prompt takes several steps', async () => {
  await using server = await batching({ prefillMsPerToken: 0.5, maxBatchedTokens: 40, cacheBlockTokens: 0 })
  await chat(server, say(text(400)))
  const record = server.truth()[0]!
  expect(record.promptTokens).toBe(100)
  expect(record.sentUs[0]).toBeGreaterThanOrEqual(52_999)
})

test('a prompt that has been seen is found in the cache, until that is reset', async () => {
  await using server = await batching({ prefillMsPerToken: 0.2 })
  const prompt = say(text(1024))
  expect([await cached(server, prompt), await cached(server, prompt)]).toEqual([0, 240])
  const [cold, warm] = server.truth()
  expect(warm!.cachedTokens).toBe(240)
  expect(cold!.sentUs[0]! - warm!.sentUs[0]!).toBeGreaterThan(20_000)
  expect(await metric(server, 'vllm:prefix_cache_queries_total')).toBe(512)
  expect(await metric(server, 'vllm:prefix_cache_hits_total')).toBe(240)
  expect((await fetch(`${server.url}/reset_prefix_cache`, { method: 'POST' })).status).toBe(200)
  expect(await cached(server, prompt)).toBe(0)
})

test('the next turn of a conversation finds the turns before it', async () => {
  await using server = await batching()
  const first = { role: 'user', content: text(320) }
  const reply = { role: 'assistant', content: saidBy(await chat(server, { messages: [first] })).content }
  const found = await cached(server, { messages: [first, reply, { role: 'user', content: text(100) }] })
  expect(found).toBeGreaterThanOrEqual(80)
  expect(await cached(server, say(`another ${text(320)}`)), 'a different beginning').toBe(0)
})

test('what was used least recently leaves a full cache', async () => {
  await using server = await batching({ kvTokens: 64 })
  const [one, two, three] = ['one', 'two', 'six'].map((word) => say(word + text(125)))
  await chat(server, one)
  await chat(server, two)
  await chat(server, one)
  await chat(server, three)
  expect(await cached(server, two!)).toBe(0)
})

test('a client that goes away leaves its place to others', async () => {
  await using server = await batching({ maxRunning: 1, stepMs: 10 })
  const controller = new AbortController()
  const body = JSON.stringify({ ...say('x'), max_tokens: 1000, ignore_eos: true })
  const gone = fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, signal: controller.signal }).catch(() => 'gone')
  while (server.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const waiting = chat(server)
  controller.abort()
  expect(await gone).toBe('gone')
  expect((await waiting).complete).toBe(true)
  expect(server.truth().map((record) => record.ending)).toEqual(['gone', 'complete'])
})

test('the cache gauge shows what running requests occupy', async () => {
  await using server = await batching({ kvTokens: 1000, stepMs: 30 })
  const answer = chat(server, say(text(2000)))
  while (server.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const usage = await metric(server, 'vllm:kv_cache_usage_perc')
  expect(usage).toBeGreaterThanOrEqual(0.5)
  expect(usage).toBeLessThan(0.52)
  await answer
  expect(await metric(server, 'vllm:kv_cache_usage_perc')).toBe(0)
})
