import type { Json } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import responses from './responses.js'
import { content, stream, textIn, whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'

const typed = (type: string, more: object = {}): Json => ({ type, ...more }) as Json
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] }
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"x":1}', status: 'completed' }
const REASONING = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'think' }] }
const USAGE = { input_tokens: 9, output_tokens: 4, total_tokens: 13, output_tokens_details: { reasoning_tokens: 1 } }
const COMPLETED = typed('response.completed', { response: { id: 'resp_1', object: 'response', status: 'completed', output: [MESSAGE], usage: USAGE } })
const STREAM = [
  typed('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }),
  typed('response.output_item.added', { output_index: 0, item: { id: 'msg_1', type: 'message', content: [] } }),
  typed('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hel' }),
  typed('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'lo' }),
  typed('response.output_text.done', { item_id: 'msg_1', output_index: 0, content_index: 0, text: 'Hello' }),
  typed('response.output_item.done', { output_index: 0, item: MESSAGE }),
]

describe('a Responses body', () => {
  it('has items, instructions and its own names', async () => {
    const { encode } = await endpoint(responses, { streaming: true })
    const turn = { ...text('Hi', { maxTokens: 5, rawTools: [{ type: 'function', name: 'f' }] }), images: [{ contents: ['http://x/i.png'] }], audios: [{ contents: ['wav,QQ=='] }] }
    expect(bodyOf(encode(input(turn, { session: { system: 'S', userContext: 'U' } })))).toEqual({
      input: [
        { type: 'message', role: 'user', content: 'U' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }, { type: 'input_image', image_url: 'http://x/i.png' }, { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } }] },
      ],
      model: 'm', stream: true, instructions: 'S', max_output_tokens: 5, tools: [{ type: 'function', name: 'f' }],
    })
    expect(() => encode(input({ videos: [{ contents: ['http://x/v'] }] }))).toThrow(/no video/)
    const counting = await endpoint(responses, { streaming: true, useServerTokenCount: true })
    expect(bodyOf(counting.encode(input(text('Hi'))))).toMatchObject({ stream_options: { include_usage: true } })
  })

  it('replays the answer, less what a server does not take back', async () => {
    const { encode } = await endpoint(responses)
    const reply: Json = [{ type: 'reasoning', id: 'r' }, CALL, { type: 'web_search_call' }]
    expect(bodyOf(encode(input([text('1'), { rawMessages: [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }] }], { replies: [reply] })))['input']).toEqual([
      { type: 'message', role: 'user', content: '1' }, CALL, { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ])
  })

  it('with a stored conversation sends what is new and the id of the answer before', async () => {
    const stateful = await endpoint(responses, { extraInputs: { store: true }, useServerTokenCount: true })
    const first = bodyOf(stateful.encode(input([text('1')], { session: { system: 'S', userContext: 'U' } })))
    expect(first['input']).toHaveLength(2)
    const body = bodyOf(stateful.encode(input([text('1'), text('2')], { replies: [{}], previousId: 'resp_1', session: { system: 'S', userContext: 'U' } })))
    expect(body).toMatchObject({ input: [{ type: 'message', role: 'user', content: '2' }], previous_response_id: 'resp_1', store: true, instructions: 'S' })
    expect(body['input']).toHaveLength(1)
    await expect(endpoint(responses, { extraInputs: { store: true } })).rejects.toThrow(/--use-server-token-count|cannot be counted/)
  })
})

describe('Responses answers', async () => {
  const plain = await endpoint(responses)

  it('stream text, once, and end with usage and status', () => {
    const deltas = content(stream(plain, ...STREAM, COMPLETED))
    expect(deltas).toEqual([
      { kind: 'text', text: 'Hel' }, { kind: 'text', text: 'lo' },
      { kind: 'usage', usage: { prompt: 9, completion: 4, total: 13, reasoning: 1 } }, { kind: 'finish', reason: 'completed' }, { kind: 'done' },
    ])
  })

  it('that come only as a whole are read from there', () => {
    expect(textIn(stream(plain, typed('response.output_text.done', { output_index: 0, content_index: 0, text: 'Hello' }), COMPLETED))).toBe('Hello')
    expect(textIn(stream(plain, COMPLETED))).toBe('Hello')
  })

  it('stream reasoning, refusals and calls with their names', () => {
    const deltas = content(stream(plain,
      typed('response.reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'why' }),
      typed('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'sum' }),
      typed('response.refusal.delta', { output_index: 1, content_index: 0, delta: 'no' }),
      typed('response.output_item.added', { output_index: 2, item: { ...CALL, arguments: '' } }),
      typed('response.function_call_arguments.delta', { output_index: 2, delta: '{"x"' }),
      typed('response.function_call_arguments.delta', { output_index: 2, delta: ':1}' }),
      typed('response.function_call_arguments.done', { output_index: 2, arguments: '{"x":1}' }),
      typed('response.function_call_arguments.done', { output_index: 3, arguments: '{}' }),
    ))
    expect(deltas).toEqual([
      { kind: 'reasoning', text: 'why' }, { kind: 'reasoning', text: 'sum' }, { kind: 'text', text: 'no' },
      { kind: 'tool', index: 2, id: 'call_1', name: 'f' }, { kind: 'tool', index: 2, arguments: '{"x"' }, { kind: 'tool', index: 2, arguments: ':1}' },
      { kind: 'tool', index: 3, arguments: '{}' },
    ])
  })

  it('as a body hold reasoning, text and calls', () => {
    const body = { id: 'resp_1', object: 'response', status: 'completed', output: [REASONING, MESSAGE, CALL], usage: USAGE }
    expect(content(whole(plain, body))).toEqual([
      { kind: 'reasoning', text: 'think' }, { kind: 'text', text: 'Hello' }, { kind: 'tool', index: 2, id: 'call_1', name: 'f', arguments: '{"x":1}' },
      { kind: 'usage', usage: { prompt: 9, completion: 4, total: 13, reasoning: 1 } }, { kind: 'finish', reason: 'completed' },
    ])
    expect(textIn(whole(plain, { object: 'response', output_text: 'bare' }))).toBe('bare')
  })

  it('that failed or broke off are errors; one cut by its limit is not', () => {
    const last = (type: string, response: object) => content(stream(plain, ...STREAM, typed(type, { response })))
    expect(last('response.failed', { status: 'failed', error: { code: 'server_error', message: 'overloaded' } })).toContainEqual({ kind: 'error', type: 'server_error', message: 'overloaded' })
    expect(last('response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }).find((d) => d.kind === 'error')).toMatchObject({ message: expect.stringContaining('content_filter') })
    const cut = last('response.incomplete', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: USAGE })
    expect(cut).toContainEqual({ kind: 'finish', reason: 'max_output_tokens' })
    expect(cut.some((d) => d.kind === 'error')).toBe(false)
    expect(content(stream(plain, { event: 'error', data: { type: 'error', code: 'rate_limit', message: 'slow down' } }))).toEqual([{ kind: 'error', message: 'slow down', type: 'rate_limit' }])
  })
})

describe('a Responses reply', async () => {
  const plain = await endpoint(responses)
  const stateful = await endpoint(responses, { extraInputs: { store: true }, useServerTokenCount: true })

  it('is the union of the items, and the id where the server keeps them', () => {
    const deltas = stream(plain, ...STREAM, typed('response.output_item.done', { output_index: 1, item: CALL }), typed('response.output_item.done', { output_index: 2, item: REASONING }), COMPLETED)
    expect(plain.conversational!.reply(deltas)).toEqual({ message: [MESSAGE, CALL] })
    expect(stateful.conversational!.reply(deltas)).toEqual({ message: [MESSAGE, CALL], id: 'resp_1' })
  })

  it('of a failed stream is its text, and ends the chain', () => {
    const deltas = stream(plain, ...STREAM, typed('response.failed', { response: { id: 'resp_1', status: 'failed' } }))
    expect(stateful.conversational!.reply(deltas)).toEqual({ message: { type: 'message', role: 'assistant', content: 'Hello' } })
  })

  it('of reasoning alone is the reasoning', () => {
    const deltas = stream(plain, typed('response.reasoning_text.delta', { delta: 'why' }), typed('response.output_item.done', { item: REASONING }))
    expect(plain.conversational!.reply(deltas)).toEqual({ message: { type: 'message', role: 'assistant', content: 'why' } })
    expect(plain.conversational!.reply([])).toBeUndefined()
  })
})
