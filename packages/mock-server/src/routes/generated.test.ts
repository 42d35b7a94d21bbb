import { expect, test } from 'vitest'
import { startMockServer, type MockServer, type MockServerOptions } from '../index.js'
import type { Said } from '../../test/said.js'

const instant = (options: MockServerOptions = {}) => startMockServer({ instant: true, outputTokens: 4, ...options })
const post = (server: MockServer, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers } })
const json = async (response: Response): Promise<Said> => (await response.json()) as Said

/** The events of a stream; each must say by its name what its data say by their type. */
async function events(response: Response): Promise<Said[]> {
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const blocks = (await response.text()).split('\n\n').filter(Boolean)
  return blocks.map((block) => {
    const lines = block.split('\n')
    const data = JSON.parse(lines.find((line) => line.startsWith('data:'))!.slice(5)) as Said
    const name = lines.find((line) => line.startsWith('event: '))?.slice(7)
    if (name !== undefined) expect(data['type']).toBe(name)
    return data
  })
}

const message = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'abcdefgh' }] }
const tools = [{ type: 'function', name: 'look', description: '', parameters: {}, input_schema: {} }]

test('messages: blocks are started, filled and stopped in order', async () => {
  await using server = await instant({ reasoningShare: 0.5 })
  const seen = await events(await post(server, '/v1/messages', { ...message, stream: true }))
  expect(seen.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
    'message_start',
    'content_block_start 0', 'ping', 'content_block_delta 0', 'content_block_delta 0', 'content_block_delta 0', 'content_block_stop 0',
    'content_block_start 1', 'content_block_delta 1', 'content_block_delta 1', 'content_block_stop 1',
    'message_delta', 'message_stop',
  ])
  expect(seen.flatMap(({ delta }) => delta?.type ?? [])).toEqual(['thinking_delta', 'thinking_delta', 'signature_delta', 'text_delta', 'text_delta'])
  expect(seen[0]!['message']).toMatchObject({ role: 'assistant', content: [], usage: { input_tokens: 2 } })
  expect(seen.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } })
  server.reset()
  const whole = await json(await post(server, '/v1/messages', message))
  const said = (kind: string) => seen.map(({ delta }) => delta?.[kind] ?? '').join('')
  expect(whole).toMatchObject({ type: 'message', content: [{ type: 'thinking', thinking: said('thinking') }, { type: 'text', text: said('text') }], stop_reason: 'end_turn' })
})

test('messages: a tool is used with input that is JSON, and a limit is told', async () => {
  await using server = await instant({ toolCallRate: 1 })
  const seen = await events(await post(server, '/v1/messages', { ...message, tools, stream: true }))
  expect(seen[1]).toMatchObject({ content_block: { type: 'tool_use', name: 'look', input: {} } })
  const input = JSON.parse(seen.map(({ delta }) => delta?.partial_json ?? '').join('')) as Said
  expect(seen.at(-2)!['delta'].stop_reason).toBe('tool_use')
  server.reset()
  expect((await json(await post(server, '/v1/messages', { ...message, tools })))['content']).toMatchObject([{ type: 'tool_use', input }])
  expect(await json(await post(server, '/v1/messages', { ...message, max_tokens: 2 }))).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } })
})

test('messages: what is missing is told in the shape of the API', async () => {
  await using server = await instant({ faults: { errorEventRate: 1 } })
  const { max_tokens: _, ...unlimited } = message
  const refused = await post(server, '/v1/messages', unlimited)
  expect([refused.status, await refused.json()]).toEqual([400, { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: Field required' } }])
  const plain = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify(message) })
  expect([plain.status, await plain.text()]).toEqual([400, expect.stringContaining('anthropic-version')])
  expect((await events(await post(server, '/v1/messages', { ...message, stream: true }))).at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
})

test('responses: items are added and done in order, and the last event has all of it', async () => {
  await using server = await instant({ reasoningShare: 0.5 })
  const seen = await events(await post(server, '/v1/responses', { model: 'm', input: 'abcdefgh', stream: true }))
  const item = (kind: string) => ['response.output_item.added', 'response.content_part.added', `response.${kind}.delta`, `response.${kind}.delta`, `response.${kind}.done`, 'response.content_part.done', 'response.output_item.done']
  expect(seen.map(({ type }) => type as string)).toEqual(['response.created', 'response.in_progress', ...item('reasoning_text'), ...item('output_text'), 'response.completed'])
  expect(seen.map(({ sequence_number }) => sequence_number as number)).toEqual(seen.map((_, at) => at))
  const completed = seen.at(-1)!['response'] as Said
  expect(completed).toMatchObject({ status: 'completed', usage: { input_tokens: 2, output_tokens: 4, output_tokens_details: { reasoning_tokens: 2 }, total_tokens: 6 } })
  expect(completed['output']).toEqual(seen.filter(({ type }) => type === 'response.output_item.done').map((event) => event['item']))
  const said = seen.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta).join('')
  expect(completed['output'][1].content[0].text).toBe(said)
  server.reset()
  expect((await json(await post(server, '/v1/responses', { model: 'm', input: 'abcdefgh' })))['output']).toEqual(completed['output'])
})

test('responses: calls of functions, limits and errors', async () => {
  await using server = await instant({ toolCallRate: 1 })
  const seen = await events(await post(server, '/v1/responses', { input: 'x', tools, stream: true }))
  const args = seen.filter(({ type }) => type === 'response.function_call_arguments.delta').map(({ delta }) => delta).join('')
  expect(seen.at(-1)!['response'].output).toMatchObject([{ type: 'function_call', name: 'look', arguments: args }])
  expect(Object.keys(JSON.parse(args) as object)).toEqual(['text'])
  expect(await json(await post(server, '/v1/responses', { input: 'x', max_output_tokens: 2 }))).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  await using failing = await instant({ faults: { errorEventRate: 1 } })
  expect((await events(await post(failing, '/v1/responses', { input: 'x', stream: true }))).at(-1)).toMatchObject({ type: 'error', code: 'server_error' })
})

test('responses: the server keeps conversations, unless it shall not', async () => {
  await using server = await instant()
  const first = await json(await post(server, '/v1/responses', { input: [{ role: 'user', content: 'abcdefgh' }] }))
  const second = await json(await post(server, '/v1/responses', { input: 'abcd', previous_response_id: first['id'], store: false }))
  expect(second).toMatchObject({ previous_response_id: first['id'], usage: { input_tokens: 2 + 4 + 1 } })
  for (const id of [second['id'], 'resp_none']) {
    const refused = await post(server, '/v1/responses', { input: 'x', previous_response_id: id })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('not found')])
  }
})

test('responses: the prefix cache sees what is kept', async () => {
  await using server = await startMockServer({ model: { stepMs: 0.1 }, outputTokens: 4 })
  const first = await json(await post(server, '/v1/responses', { input: 'word '.repeat(100) }))
  const second = await json(await post(server, '/v1/responses', { input: 'more', previous_response_id: first['id'] }))
  expect(second['usage'].input_tokens_details.cached_tokens).toBeGreaterThan(100)
})

test('generate: token by token, the last event with the whole text', async () => {
  await using server = await instant()
  const body = { inputs: 'abcdefgh', parameters: { max_new_tokens: 3, details: true } }
  const seen = await events(await post(server, '/generate_stream', body))
  expect(seen.map(({ index, generated_text }) => [index, generated_text === null])).toEqual([[1, true], [2, true], [3, false]])
  const text = seen.map(({ token }) => token.text as string).join('')
  expect(seen.at(-1)).toMatchObject({ generated_text: text, details: { finish_reason: 'length', generated_tokens: 3, input_length: 2 } })
  server.reset()
  const whole = await json(await post(server, '/generate', body))
  expect(whole).toMatchObject({ generated_text: text, details: { finish_reason: 'length', generated_tokens: 3 } })
  expect(whole['details'].tokens).toEqual(seen.map(({ token }) => token as Said))
  expect(Object.keys(await json(await post(server, '/generate', { inputs: 'x' })))).toEqual(['generated_text'])
  const refused = await post(server, '/generate', {})
  expect([refused.status, await refused.json()]).toEqual([422, { error: 'inputs: this field is required', error_type: 'validation' }])
})

test('solido: streams to who accepts events', async () => {
  await using server = await instant()
  const body = { query: ['a', 'b'], filters: {}, inference_model: 'm' }
  const seen = await events(await post(server, '/rag/api/prompt', body, { accept: 'text/event-stream' }))
  expect(seen.map((event) => Object.keys(event)[0])).toEqual(['content', 'content', 'content', 'content', 'sources'])
  server.reset()
  expect(await json(await post(server, '/rag/api/prompt', body))).toMatchObject({ content: seen.map(({ content }) => (content as string) ?? '').join('') })
  expect(server.truth()[0]).toMatchObject({ model: 'm', tokens: 4, stream: false })
})

test('the truth knows the tokens of each, and a fault breaks each off', async () => {
  await using server = await instant({ tokensPerChunk: 3, outputTokens: 7 })
  await post(server, '/v1/messages', { ...message, stream: true }).then((response) => response.text())
  await post(server, '/v1/responses', { input: 'x', stream: true }).then((response) => response.text())
  await post(server, '/generate_stream', { inputs: 'x' }).then((response) => response.text())
  expect(server.truth().map(({ tokens, sentUs, ending }) => [tokens, sentUs.length, ending])).toEqual(Array.from({ length: 3 }, () => [7, 3, 'complete']))
  await using cutting = await instant({ faults: { cutRate: 1 } })
  for (const [path, body] of [['/v1/messages', message], ['/v1/responses', { input: 'x' }], ['/generate_stream', { inputs: 'x' }]] as const) {
    const text = await post(cutting, path, { ...body, stream: true }).then((response) => response.text())
    expect(text, path).not.toMatch(/message_stop|response\.completed|"generated_text":"/)
  }
  expect(cutting.truth().map(({ ending }) => ending)).toEqual(['cut', 'cut', 'cut'])
})
