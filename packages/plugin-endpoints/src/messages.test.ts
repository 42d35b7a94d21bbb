import type { Json } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import messages from './messages.js'
import { content, stream, whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'

const event = (type: string, more: object = {}): { event: string; data: Json } => ({ event: type, data: { type, ...more } as Json })
const delta = (index: number, of: object) => event('content_block_delta', { index, delta: of })
const STREAM = [
  event('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 25, cache_read_input_tokens: 10, output_tokens: 1 } } }),
  event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  event('ping'),
  delta(0, { type: 'thinking_delta', thinking: 'Let me' }),
  delta(0, { type: 'thinking_delta', thinking: ' see' }),
  delta(0, { type: 'signature_delta', signature: 'c2ln' }),
  event('content_block_stop', { index: 0 }),
  event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
  delta(1, { type: 'text_delta', text: 'Hello' }),
  delta(1, { type: 'text_delta', text: '!' }),
  event('content_block_stop', { index: 1 }),
  event('content_block_start', { index: 2, content_block: { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} } }),
  delta(2, { type: 'input_json_delta', partial_json: '' }),
  delta(2, { type: 'input_json_delta', partial_json: '{"city":' }),
  delta(2, { type: 'input_json_delta', partial_json: '"Oslo"}' }),
  event('content_block_stop', { index: 2 }),
  event('content_block_start', { index: 3, content_block: { type: 'text', text: '' } }),
  delta(3, { type: 'text_delta', text: 'after' }),
  event('content_block_stop', { index: 3 }),
  event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 15 } }),
  event('message_stop'),
]
const BLOCKS = [
  { type: 'thinking', thinking: 'Let me see', signature: 'c2ln' }, { type: 'text', text: 'Hello!' },
  { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } }, { type: 'text', text: 'after' },
]

describe('a Messages body', () => {
  it('always has a limit of tokens, and stream only when it streams', async () => {
    const plain = await endpoint(messages)
    expect(bodyOf(plain.encode(input(text('Hi'))))).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1024 })
    expect(plain.encode(input(text('Hi'))).headers).toEqual({ 'anthropic-version': '2023-06-01' })
    const streaming = await endpoint(messages, { streaming: true, extraInputs: { top_k: 5 } })
    expect(bodyOf(streaming.encode(input(text('Hi', { maxTokens: 7 }))))).toMatchObject({ max_tokens: 7, stream: true, top_k: 5 })
  })

  it('has images in both forms, system prompts in blocks, and no audio', async () => {
    const { encode } = await endpoint(messages)
    const turn = { ...text('Hi'), images: [{ contents: ['data:image/jpeg;base64,AA==', 'https://x/i.png'] }], rawSystem: [{ type: 'text', text: 'raw', cache_control: { type: 'ephemeral' } }] }
    expect(bodyOf(encode(input(turn, { session: { system: 'S', userContext: 'U' } })))).toMatchObject({
      system: [{ type: 'text', text: 'S' }, { type: 'text', text: 'raw', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'U' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' } }, { type: 'image', source: { type: 'url', url: 'https://x/i.png' } }] },
      ],
    })
    expect(bodyOf(encode(input(text('Hi'), { session: { system: 'S' } })))).toMatchObject({ system: 'S' })
    expect(() => encode(input({ audios: [{ contents: ['wav,QQ=='] }] }))).toThrow(/no audio/)
  })
})

describe('Messages answers', async () => {
  const plain = await endpoint(messages)

  it('stream thinking, text, tools and merged usage', () => {
    expect(content(stream(plain, ...STREAM))).toEqual([
      { kind: 'usage', usage: { prompt: 35, cacheRead: 10, completion: 1 } },
      { kind: 'reasoning', text: 'Let me' }, { kind: 'reasoning', text: ' see' }, { kind: 'text', text: 'Hello' }, { kind: 'text', text: '!' },
      { kind: 'tool', index: 2, id: 'toolu_1', name: 'get_weather' }, { kind: 'tool', index: 2, arguments: '{"city":' }, { kind: 'tool', index: 2, arguments: '"Oslo"}' },
      { kind: 'text', text: 'after' },
      { kind: 'usage', usage: { prompt: 35, cacheRead: 10, completion: 15 } }, { kind: 'finish', reason: 'tool_use' }, { kind: 'done' },
    ])
  })

  it('as a body hold the same', () => {
    const deltas = whole(plain, { type: 'message', role: 'assistant', content: BLOCKS, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } } as Json)
    expect(content(deltas)).toEqual([
      { kind: 'reasoning', text: 'Let me see' }, { kind: 'text', text: 'Hello!' }, { kind: 'tool', index: 2, id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Oslo"}' }, { kind: 'text', text: 'after' },
      { kind: 'usage', usage: { prompt: 1, completion: 2 } }, { kind: 'finish', reason: 'tool_use' },
    ])
    expect(plain.conversational!.reply(deltas)).toEqual({ message: { role: 'assistant', content: BLOCKS } })
  })

  it('tell errors with and without the event name', () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    for (const name of ['error', '']) expect(stream(plain, { event: name, data: body })).toEqual([{ kind: 'error', type: 'overloaded_error', message: 'Overloaded' }])
  })

  it('go back with their blocks in order, signatures and all; plain text as text', () => {
    expect(plain.conversational!.reply(stream(plain, ...STREAM))).toEqual({ message: { role: 'assistant', content: BLOCKS } })
    expect(plain.conversational!.reply(stream(plain, ...STREAM.slice(7, 11)))).toEqual({ message: { role: 'assistant', content: 'Hello!' } })
    expect(plain.conversational!.reply(stream(plain, ...STREAM.slice(0, 7)))).toEqual({ message: { role: 'assistant', content: 'Let me see' } })
    expect(plain.conversational!.reply([])).toBeUndefined()
  })

  it('count thinking, tool use and results as input', () => {
    expect(plain.inputTexts({ system: [{ type: 'text', text: 'S' }], messages: [{ role: 'assistant', content: BLOCKS }, { role: 'user', content: [{ type: 'tool_result', content: 'sunny' }] }], tools: [{ name: 'f', input_schema: { type: 'object' } }] } as Json)).toEqual([
      'S', 'Let me see', 'Hello!', 'get_weather', '{"city":"Oslo"}', 'after', 'sunny', 'f', '{"type":"object"}',
    ])
  })
})
