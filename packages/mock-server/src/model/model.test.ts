import { expect, test } from 'vitest'
import { CHAT, chat, chatBody, eventsOf, saidBy } from '../../test/chat.js'
import { postText, RawClient } from '../../test/raw-client.js'
import { startMockServer, type MockServer, type ModelOptions } from '../index.js'

const batching = (model: ModelOptions = {}) => startMockServer({ outputTokens: 5, usage: 'always', model: { stepMs: 1, stepMsPerSequence: 0, prefillMsPerToken: 0, ...model } })
const text = (chars: number) => 'lorem ipsum '.repeat(chars).slice(0, chars)
const say = (content: string) => ({ messages: [{ role: 'user', content }] })

async function metric(server: MockServer, name: string): Promise<number> {
  const exposed = await (await fetch(`${server.url}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{[^}]*\\} (.*)$`, 'm').exec(exposed)?.[1])
}

async function metricIs(server: MockServer, name: string, value: number): Promise<void> {
  while ((await metric(server, name)) !== value) await new Promise(setImmediate)
}

async function cached(server: MockServer, extra: object): Promise<number> {
  const usage = eventsOf(await chat(server, extra)).at(-1)!.usage!
  return usage.prompt_tokens_details!.cached_tokens
}

test('no more run than may; the others wait, and begin in order of arrival when places are free', async () => {
  await using server = await batching({ maxRunning: 4 })
  const endless = await Promise.all(Array.from({ length: 4 }, () => RawClient.open(server)))
  for (const client of endless) client.write(postText(CHAT, chatBody({ max_tokens: 1_000_000, ignore_eos: true })))
  await metricIs(server, 'vllm:num_requests_running', 4)
  const answers = Array.from({ length: 6 }, () => chat(server))
  await metricIs(server, 'vllm:num_requests_waiting', 6)
  expect(await metric(server, 'vllm:num_requests_running')).toBe(4)
  for (const client of endless) client.close()
  for (const response of await Promise.all(answers)) expect(response.complete).toBe(true)
  expect(server.truth().map((record) => record.ending)).toEqual([...endless.map(() => 'gone'), ...answers.map(() => 'complete')])
  const begun = server.truth().slice(4).map((record) => Number(BigInt(record.arrivalUnixNs) / 1000n) + record.sentUs[0]!)
  // The two times of a sum are rounded to a µs each.
  for (const [index, us] of begun.slice(1).entries()) expect(us - begun[index]!).toBeGreaterThanOrEqual(-2)
  await metricIs(server, 'vllm:num_requests_running', 0)
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
  await using server = await batching({ prefillMsPerToken: 1 })
  const prompt = say(text(1024))
  expect([await cached(server, prompt), await cached(server, prompt)]).toEqual([0, 240])
  const [cold, warm] = server.truth()
  expect(warm!.cachedTokens).toBe(240)
  expect(cold!.sentUs[0]).toBeGreaterThanOrEqual(256_999)
  expect(await metric(server, 'vllm:prefix_cache_queries_total')).toBe(512)
  expect(await metric(server, 'vllm:prefix_cache_hits_total')).toBe(240)
  for (let count = 0; count < 3; count++) await chat(server, prompt)
  const fastestUs = Math.min(...server.truth().slice(1).map((record) => record.sentUs[0]!))
  expect(fastestUs, 'due after 17 ms').toBeLessThan(256_999)
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

test('the cache gauge shows what running requests occupy', async () => {
  await using server = await batching({ kvTokens: 1000, stepMs: 60_000 })
  const client = await RawClient.open(server)
  client.write(postText(CHAT, chatBody(say(text(2000)))))
  await metricIs(server, 'vllm:kv_cache_usage_perc', 0.5)
  client.close()
  await metricIs(server, 'vllm:kv_cache_usage_perc', 0)
})

test('faults that pause an answer do so in a batch, too', async () => {
  await using server = await startMockServer({ outputTokens: 5, model: { stepMs: 0, stepMsPerSequence: 0 }, faults: { stallRate: 1, stallMs: 60, slowHeadersRate: 1, slowHeadersMs: 40 } })
  for (const stream of [true, false]) expect((await chat(server, { stream })).complete).toBe(true)
  const [streamed, whole] = server.truth()
  expect(streamed!.sentUs[0]).toBeGreaterThanOrEqual(39_999)
  expect(streamed!.sentUs.at(-1)).toBeGreaterThanOrEqual(99_999)
  expect(whole!.sentUs[0]).toBeGreaterThanOrEqual(39_999)
})
