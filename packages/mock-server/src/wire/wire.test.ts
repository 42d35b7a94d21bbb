import { expect, test } from 'vitest'
import { chat, chatBody, CHAT, dataOf, eventsOf, saidBy, wholeOf, wordsIn } from '../../test/chat.js'
import { RawClient } from '../../test/raw-client.js'
import { startMockServer, type MockServerOptions } from '../index.js'

const instant = (options: MockServerOptions = {}) => startMockServer({ instant: true, outputTokens: 6, ...options })

test('a stream is a role, the tokens one by one, the finish reason and [DONE]', async () => {
  await using server = await instant()
  const response = await chat(server)
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'transfer-encoding': 'chunked' })
  const data = dataOf(response.body)
  expect(data.at(-1)).toBe('[DONE]')
  const events = eventsOf(response)
  expect(new Set(events.map((event) => event.id)).size).toBe(1)
  expect(events.every((event) => event.object === 'chat.completion.chunk' && event.model === 'mock-model')).toBe(true)
  const [role, ...rest] = events.map((event) => event.choices[0]!)
  expect(role!.delta).toEqual({ role: 'assistant', content: '' })
  expect(rest.map((choice) => wordsIn(choice.delta.content ?? ''))).toEqual([1, 1, 1, 1, 1, 1, 0])
  expect(rest.map((choice) => choice.finish_reason)).toEqual([null, null, null, null, null, null, 'stop'])
  expect(response.chunks).toHaveLength(data.length)
})

test('a whole answer says the same as the stream, with usage', async () => {
  await using server = await instant()
  const streamed = saidBy(await chat(server)).content
  server.reset()
  const whole = wholeOf(await chat(server, { stream: false }))
  expect(whole.choices[0]).toMatchObject({ message: { role: 'assistant', content: streamed }, finish_reason: 'stop' })
  expect(whole.usage).toEqual({ prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 })
})

test('text completions, streamed and whole', async () => {
  await using server = await instant()
  const client = await RawClient.open(server)
  const body = { model: 'm', prompt: 'abcdefgh', stream: true, stream_options: { include_usage: true } }
  const streamed = await client.post('/v1/completions', body)
  const events = eventsOf(streamed)
  expect(events.map((event) => event.object)).toEqual(Array.from({ length: 8 }, () => 'text_completion'))
  expect(wordsIn(saidBy(streamed).content)).toBe(6)
  expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 6 } })
  server.reset()
  const whole = wholeOf(await client.post('/v1/completions', { ...body, stream: false }))
  expect(whole.choices[0]!.text).toBe(saidBy(streamed).content)
  client.close()
})

test.each([
  ['merged', ['assistant', undefined]],
  ['none', [undefined, undefined]],
] as const)('role %s', async (roleChunk, roles) => {
  await using server = await instant({ roleChunk })
  const events = eventsOf(await chat(server))
  expect(events.slice(0, 2).map((event) => event.choices[0]!.delta.role)).toEqual(roles)
  expect(events[0]!.choices[0]!.delta.content).not.toBe('')
})

test('an early role comes before the first token, in a write of its own', async () => {
  await using server = await startMockServer({ ttftMs: 150, outputTokens: 1, roleChunk: 'early' })
  const client = await RawClient.open(server)
  await client.post(CHAT, chatBody())
  expect(client.reads[0]).toContain('"role":"assistant"')
  expect(client.reads[0]).not.toContain('"content":" ')
  client.close()
})

test('the finish reason can come with the last token', async () => {
  await using server = await instant({ finishChunk: 'merged' })
  const last = eventsOf(await chat(server)).at(-1)!.choices[0]!
  expect(wordsIn(last.delta.content!)).toBe(1)
  expect(last.finish_reason).toBe('stop')
})

test('several tokens to an event', async () => {
  await using server = await instant({ outputTokens: 10, tokensPerChunk: 4 })
  const counts = eventsOf(await chat(server)).map((event) => wordsIn(event.choices[0]!.delta.content ?? ''))
  expect(counts).toEqual([0, 4, 4, 2, 0])
  expect(server.truth()[0]).toMatchObject({ tokens: 10, sentUs: { length: 3 } })
})

test.each([
  ['on-request', true, true],
  ['on-request', false, false],
  ['always', false, true],
  ['never', true, false],
] as const)('usage %s, asked for: %s', async (usage, asked, expected) => {
  await using server = await instant({ usage })
  const events = eventsOf(await chat(server, { stream_options: { include_usage: asked } }))
  expect(events.filter((event) => event.usage)).toHaveLength(expected ? 1 : 0)
  if (expected) expect(events.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } })
})

test('usage in the finish event, and a stream without [DONE]', async () => {
  await using server = await instant({ usage: 'always', usageChunk: 'merged', done: false })
  const response = await chat(server)
  expect(eventsOf(response).at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 6 } })
  expect(dataOf(response.body)).not.toContain('[DONE]')
})

test('usage in every chunk, where the client asks for it', async () => {
  await using server = await instant()
  const events = eventsOf(await chat(server, { stream_options: { include_usage: true, continuous_usage_stats: true } }))
  expect(events.slice(1, 7).map((event) => event.usage?.completion_tokens)).toEqual([1, 2, 3, 4, 5, 6])
})

test('the first part of the tokens can be reasoning', async () => {
  await using server = await instant({ outputTokens: 10, reasoningShare: 0.35, tokensPerChunk: 2 })
  const response = await chat(server, { stream_options: { include_usage: true } })
  const said = saidBy(response)
  expect([wordsIn(said.reasoning), wordsIn(said.content)]).toEqual([3, 7])
  expect(eventsOf(response).at(-1)!.usage!.completion_tokens_details).toEqual({ reasoning_tokens: 3 })
  const whole = wholeOf(await chat(server, { stream: false })).choices[0]!.message
  expect([wordsIn(whole.reasoning_content!), wordsIn(whole.content!)]).toEqual([3, 7])
})

test('a request with tools can be answered by a call whose pieces are JSON', async () => {
  await using server = await instant({ toolCallRate: 1 })
  const tools = [{ type: 'function', function: { name: 'look "up"', parameters: {} } }]
  const response = await chat(server, { tools })
  const calls = eventsOf(response).flatMap((event) => event.choices[0]?.delta.tool_calls ?? [])
  expect(calls[0]).toMatchObject({ id: expect.stringMatching(/^call_/), function: { name: 'look "up"' } })
  expect(wordsIn((JSON.parse(saidBy(response).tool) as { text: string }).text)).toBe(6)
  expect(eventsOf(response).at(-1)!.choices[0]!.finish_reason).toBe('tool_calls')
  const whole = wholeOf(await chat(server, { tools, stream: false })).choices[0]!.message
  expect(JSON.parse(whole.tool_calls![0]!.function.arguments)).toHaveProperty('text')
  expect(saidBy(await chat(server)).tool, 'without tools').toBe('')
})

test('text that is not ASCII is escaped, so that lengths stay right', async () => {
  await using server = await instant()
  const response = await chat(server, { model: 'modèle "é" 日本' })
  expect(response.complete).toBe(true)
  expect(eventsOf(response)[0]!.model).toBe('modèle "é" 日本')
})
