import type { Delta, EndpointContext, Json, JsonObject } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import chat from './chat.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'
import { frameOf } from '../test/frames.js'

async function body(of: Parameters<typeof input>, context: Partial<EndpointContext> = {}): Promise<JsonObject> {
  return bodyOf((await endpoint(chat, context)).encode(input(...of)))
}
async function decode(...chunks: (Json | string)[]): Promise<Delta[]> {
  const decoder = (await endpoint(chat, { streaming: true })).decoder()
  const deltas = chunks.flatMap((chunk) => structuredClone(decoder.push(frameOf(typeof chunk === 'string' ? chunk : JSON.stringify(chunk)))) as Delta[])
  return [...deltas, ...decoder.end()]
}
const chunk = (delta: Json, more: JsonObject = {}, choice: JsonObject = {}): JsonObject => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null, ...choice }], ...more })

describe('a chat body', () => {
  it('is the smallest that says what was asked', async () => {
    expect(await body([text('Hi')])).toEqual({ messages: [{ role: 'user', content: 'Hi' }], model: 'm', stream: false })
    const request = (await endpoint(chat)).encode(input(text('Hi')))
    expect(request).toMatchObject({ method: 'POST', contentType: 'application/json', accept: 'application/json' })
  })

  it('asks a stream for its usage, each chunk on request, unless the user decided', async () => {
    expect(await body([text('Hi')], { streaming: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect((await body([text('Hi')], { streaming: true, perChunkUsage: true }))['stream_options']).toEqual({ include_usage: true, continuous_usage_stats: true })
    expect((await body([text('Hi')], { streaming: true, extraInputs: { stream_options: { include_usage: false, x: 1 } } }))['stream_options']).toEqual({ include_usage: false, x: 1 })
    expect(await body([text('Hi')], { streaming: true, extraInputs: { stream: false } })).not.toHaveProperty('stream_options')
    expect((await endpoint(chat, { streaming: true })).encode(input(text('Hi'))).accept).toBe('text/event-stream')
  })

  it('limits tokens by the field that was chosen, and names the model of the turn', async () => {
    expect(await body([text('Hi', { maxTokens: 7 })])).toMatchObject({ max_completion_tokens: 7 })
    const legacy = await body([text('Hi', { maxTokens: 7, model: 'other' })], { useLegacyMaxTokens: true })
    expect(legacy).toMatchObject({ max_tokens: 7, model: 'other' })
    expect(legacy).not.toHaveProperty('max_completion_tokens')
  })

  it('is overridden by extra inputs, and these by the turn', async () => {
    const merged = await body([text('Hi', { extraBody: { b: 3, model: 'turn' } })], { extraInputs: { a: 1, b: 2, model: 'run', max_completion_tokens: 5 } })
    expect(merged).toMatchObject({ a: 1, b: 3, model: 'turn', max_completion_tokens: 5 })
  })

  it('has parts in the order texts, images, audios, videos, empty ones left out', async () => {
    const turn = {
      texts: [{ contents: ['a', '', 'b'] }],
      images: [{ contents: ['data:image/png;base64,AA', '', 'http://x/i.png'], uuids: ['u1', 'u2'] }],
      audios: [{ contents: ['wav,QQ==', 'data:audio/x-wav;base64,QUE='] }],
      videos: [{ contents: ['http://x/v.mp4'] }],
    }
    expect(((await body([turn]))['messages'] as Json[])[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'a' }, { type: 'text', text: 'b' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' }, uuid: 'u1' },
        { type: 'image_url', image_url: null, uuid: 'u2' },
        { type: 'image_url', image_url: { url: 'http://x/i.png' } },
        { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } },
        { type: 'input_audio', input_audio: { data: 'QUE=', format: 'wav' } },
        { type: 'video_url', video_url: { url: 'http://x/v.mp4' } },
      ],
    })
    expect(await body([{ texts: [{ contents: [''] }, { contents: [] }] }])).toMatchObject({ messages: [{ content: '' }] })
    expect(await body([text('Hi')], { options: { forceContentParts: true } })).toMatchObject({ messages: [{ content: [{ type: 'text', text: 'Hi' }] }] })
    await expect(body([{ audios: [{ contents: ['QQ=='] }] }])).rejects.toThrow(/audio must be/)
  })

  it('holds the conversation so far: turns, live replies, raw messages, resets', async () => {
    const turns = [text('1'), text('2', { role: 'tool' }), { rawMessages: [{ role: 'user', content: 'raw' }, { role: 'assistant', content: 'x' }] }, text('4')]
    const replies = [{ role: 'assistant', content: 'one' }, undefined, [{ role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' }]]
    expect((await body([turns, { replies }]))['messages']).toEqual([
      { role: 'user', content: '1' }, { role: 'assistant', content: 'one' }, { role: 'tool', content: '2' },
      { role: 'user', content: 'raw' }, { role: 'assistant', content: 'x' }, { role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' },
      { role: 'user', content: '4' },
    ])
    const reset = [text('1'), { rawMessages: [{ role: 'user', content: 'new' }], resetContext: true }, { rawMessages: [] }]
    expect((await body([reset, { replies: replies.slice(0, 1) }]))['messages']).toEqual([{ role: 'user', content: 'new' }])
  })

  it('takes its tools from the latest turn that has some', async () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(await body([[text('1', { rawTools: [{ type: 'old' }] }), text('2', { rawTools: tools }), text('3')]])).toMatchObject({ tools })
    expect(await body([text('1')])).not.toHaveProperty('tools')
  })

  it('begins with the system prompt, merged into one that leads already, then the user context', async () => {
    const session = { system: 'S', userContext: 'U' }
    expect((await body([text('Hi'), { session }]))['messages']).toEqual([{ role: 'system', content: 'S' }, { role: 'user', content: 'U' }, { role: 'user', content: 'Hi' }])
    const led = (content: Json) => ({ rawMessages: [{ role: 'system', content, name: 'n' }, { role: 'user', content: 'Hi' }] })
    expect((await body([led('old'), { session }]))['messages']).toEqual([{ role: 'system', content: 'S\n\nold', name: 'n' }, { role: 'user', content: 'U' }, { role: 'user', content: 'Hi' }])
    expect((await body([led([{ type: 'text', text: 'old' }]), { session }]))['messages']).toMatchObject([{ content: [{ type: 'text', text: 'S' }, { type: 'text', text: 'old' }] }, {}, {}])
    expect((await body([led('old'), { session: { userContext: 'U' } }]))['messages']).toMatchObject([{ content: 'old' }, { content: 'U' }, { content: 'Hi' }])
  })
})

describe('the texts of a chat body', () => {
  it('are those that a server tokenizes', async () => {
    const { inputTexts } = await endpoint(chat)
    expect(
      inputTexts({
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url', image_url: { url: 'data:…' } }, { type: 'text', text: 'b' }] },
          { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }] },
          { role: 'tool', content: 'result' },
        ],
        tools: [{ type: 'function', function: { name: 'f', description: 'does', parameters: { type: 'object' } } }],
        model: 'm', stop: ['z'],
      }),
    ).toEqual(['S', 'a', 'b', 'f', '{"x":1}', 'result', 'f', 'does', '{"type":"object"}'])
    expect(inputTexts({ prompt: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(inputTexts({ query: { text: 'q' }, passages: [{ text: 'p' }, 'r'] })).toEqual(['q', 'p', 'r'])
    expect(inputTexts(null)).toEqual([])
  })
})

describe('chat chunks', () => {
  it('of another object bring no text but their usage', async () => {
    expect(await decode({ object: 'text_completion', choices: [{ delta: { content: 'a' } }], usage: { prompt_tokens: 1 } })).toEqual([{ kind: 'usage', usage: { prompt: 1 } }])
    expect(await decode({ choices: [{ delta: { content: 'a' } }] })).toEqual([{ kind: 'text', text: 'a' }])
  })

  it('bring reasoning under every name, once, and text beside it', async () => {
    expect(await decode(chunk({ reasoning_content: 'r', reasoning: 'r', content: 'c' }))).toEqual([{ kind: 'reasoning', text: 'r' }, { kind: 'text', text: 'c' }])
    expect(await decode(chunk({ reasoning: 'r', content: null }))).toEqual([{ kind: 'reasoning', text: 'r' }])
    expect(await decode(chunk({ reasoning: 'r', reasoning_details: [{ type: 'reasoning.text', text: 'r' }], content: '' }))).toEqual([{ kind: 'reasoning', text: 'r' }])
    expect(await decode(chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'r' }, { type: 'reasoning.encrypted', data: 'x' }] }), chunk({ thinking: 's' }))).toEqual([{ kind: 'reasoning', text: 'r' }, { kind: 'reasoning', text: 's' }])
    expect(await decode(chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'r' }] }, { type: 'text', text: 'c' }, 'd'] }))).toEqual([{ kind: 'reasoning', text: 'r' }, { kind: 'text', text: 'c' }, { kind: 'text', text: 'd' }])
    expect(await decode(chunk({ content: '', reasoning_content: '' }), chunk({ refusal: 'no' }))).toEqual([{ kind: 'text', text: 'no' }])
  })

  it('bring tool calls in pieces, of several calls, with and without index', async () => {
    const indexed = await decode(
      chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }, { index: 1, id: 'b', function: { name: 'g' } }] }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
    )
    expect(indexed).toEqual([
      { kind: 'tool', index: 0, id: 'a', name: 'f' }, { kind: 'tool', index: 1, id: 'b', name: 'g' }, { kind: 'tool', index: 1, arguments: '{}' },
    ])
    const bare = await decode(chunk({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: { x: 1 } } }] }), chunk({ tool_calls: [{ id: 'b', function: { name: 'g' } }] }), chunk({ tool_calls: [{ function: { arguments: '1' } }] }))
    expect(bare).toEqual([{ kind: 'tool', index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }, { kind: 'tool', index: 1, id: 'b', name: 'g' }, { kind: 'tool', index: 1, arguments: '1' }])
    expect(await decode(chunk({ function_call: { name: 'f', arguments: '{' } }))).toEqual([{ kind: 'tool', index: 0, name: 'f', arguments: '{' }])
  })

  it('bring a finish reason and an end mark in the forms that servers give them', async () => {
    expect(await decode(chunk({}, {}, { finish_reason: 'null' }), chunk({}, {}, { finish_reason: '' }), chunk({}, {}, { finish_reason: 'stop' }))).toEqual([{ kind: 'finish', reason: 'stop' }])
    for (const mark of ['[DONE]', ' [DONE]  ', '[done]', '"[DONE]"']) expect(await decode(mark)).toEqual([{ kind: 'done' }])
    expect(await decode('"[DONE]')).toMatchObject([{ kind: 'malformed' }])
  })

  it('that are odd in form are passed over', async () => {
    expect(await decode(1, null, [], {}, { choices: {} }, { choices: [null, 1, {}] }, chunk(null), chunk({ content: 5 }), chunk({ tool_calls: [null, 7] }))).toEqual([])
  })

  it('that are no JSON are malformed', async () => {
    expect(await decode('<html>', '{"choices":')).toEqual([
      { kind: 'malformed', reason: 'expected JSON, got "<html>"' }, { kind: 'malformed', reason: String.raw`expected JSON, got "{\"choices\":"` },
    ])
  })

  it.each<[Json, Partial<Extract<Delta, { kind: 'error' }>>]>([
    [{ error: { message: 'full', type: 'ServerError', code: 503 } }, { message: 'full', type: 'ServerError', code: 503 }],
    [{ error: { message: 'long', code: 'context_length_exceeded' } }, { message: 'long', type: 'context_length_exceeded' }],
    [{ error: 'gone' }, { message: 'gone' }],
    [{ error: { message: 'x', code: '429' } }, { message: 'x', code: 429 }],
    [{ error: { foo: 1 } }, { message: '{"foo":1}' }],
    [{ object: 'error', message: 'old', type: 'BadRequestError', code: 400 }, { message: 'old', type: 'BadRequestError', code: 400 }],
    [[{ error: { message: 'listed', status: 'X', code: 500 } }], { message: 'listed', code: 500 }],
    [chunk({ content: '' }, { error: { message: 'provider lost', code: 502 } }, { finish_reason: 'error' }), { message: 'provider lost', code: 502 }],
    [chunk({}, {}, { finish_reason: 'abort' }), { type: 'abort' }],
    [chunk({}, {}, { error: 'provider lost' }), { message: 'provider lost' }],
    [{ error: 'Internal Server Error', message: 'no slot', status: 500 }, { message: 'Internal Server Error: no slot', code: 500 }],
    [{ error: true, message: 'no slot' }, { message: 'no slot' }],
    [{ error: [{ message: 'listed' }] }, { message: 'listed' }],
    [{ detail: 'Not Found' }, { message: 'Not Found' }],
    [{ detail: [{ msg: 'too long' }] }, { message: '{"detail":[{"msg":"too long"}]}' }],
    [{ code: 'InternalError', message: 'lost', request_id: 'r' }, { message: 'lost', type: 'InternalError' }],
    [{ error_code: 336100, error_msg: 'busy' }, { message: 'busy', code: 336100 }],
    [{ success: false, errors: [{ message: 'no route' }] }, { message: '{"success":false,"errors":[{"message":"no route"}]}' }],
    [{ base_resp: { status_code: 1002, status_msg: 'busy' } }, { message: '{"base_resp":{"status_code":1002,"status_msg":"busy"}}' }],
  ])('that tell of an error %j are one', async (body, wanted) => {
    expect((await decode(body)).find((d) => d.kind === 'error')).toMatchObject({ kind: 'error', ...wanted })
  })

  it.each<Json>([
    chunk({ content: 'a' }, { error: null }), chunk({ content: 'a' }, { error: '' }), chunk({ content: 'a' }, { error: 0 }), chunk({ content: 'a' }, { error: {} }), chunk({ content: 'a' }, { error: { code: 0, message: '' } }), chunk({ content: 'error' }),
    chunk({ content: 'a' }, { code: 500, message: 'm' }), { code: 200, message: 'ok' }, { code: 'Success', message: 'ok' }, { code: 'x', message: 'm', data: {} }, { message: 'm' }, { detail: 'd', text: 't' }, { base_resp: { status_code: 0 } },
  ])('that only mention an error are none: %j', async (body) => {
    expect((await decode(body)).some((d) => d.kind === 'error')).toBe(false)
  })

  it('in an event named error are one, whatever stands in it', async () => {
    const { decoder } = await endpoint(chat)
    expect(decoder().push(frameOf('', { event: 'Error', comment: 'worker lost' }))).toEqual([{ kind: 'error', message: 'worker lost' }])
    expect(decoder().push(frameOf('{"message":"m","code":500}', { event: 'error', comment: 'c' }))).toEqual([{ kind: 'error', message: 'm', code: 500 }])
    expect(decoder().push(frameOf('plain', { event: 'error' }))).toEqual([{ kind: 'error', message: 'plain' }])
    expect(decoder().push(frameOf('[DONE]', { event: 'error ' }))).toMatchObject([{ kind: 'error' }])
    expect(decoder().push(frameOf('', { comment: 'ping' }))).toEqual([])
  })

  it('report speculative decoding at the end, when once and consistent', async () => {
    const report = { num_spec_steps: 4, acceptance_histogram: [1, 2, 1], num_accepted_draft_tokens: 4, num_draft_tokens: 8, num_spec_tokens: 2, mean_acceptance_length: 2, draft_acceptance_rate: 0.5 }
    const carrying = (r: JsonObject) => chunk({ content: 'a' }, { metrics: { speculative_decoding: r } })
    const fields = async (...reports: JsonObject[]) => (await decode(...reports.map(carrying))).flatMap((d) => (d.kind === 'field' ? [[d.name, d.value]] : []))
    expect(Object.fromEntries(await fields(report))).toEqual({
      spec_decode_steps: 4, spec_decode_accepted_tokens: 4, spec_decode_draft_tokens: 8,
      spec_decode_acceptance_histogram: [1, 2, 1], spec_decode_acceptance_length: 2, spec_decode_acceptance_rate: 0.5,
    })
    expect(await fields(report, report)).toEqual([])
    for (const wrong of [{ num_spec_steps: 5 }, { num_accepted_draft_tokens: 3 }, { num_draft_tokens: 3 }, { num_spec_tokens: 3 }, { per_step_accepted: [1, 1] }, { acceptance_histogram: 'x' }])
      expect(await fields({ ...report, ...wrong })).toEqual([])
    expect(await fields({ ...report, per_step_accepted: [0, 1, 1, 2], per_step_drafted: [2, 2, 2, 2] })).toHaveLength(6)
  })
})

describe('a chat reply', () => {
  const reply = async (...deltas: Delta[]) => (await endpoint(chat)).conversational!.reply(deltas)?.message
  it('is the text, or the tool calls with it, or the reasoning where there is nothing else', async () => {
    expect(await reply({ kind: 'reasoning', text: 'r' }, { kind: 'text', text: 'a' }, { kind: 'text', text: 'b' })).toEqual({ role: 'assistant', content: 'ab' })
    expect(await reply({ kind: 'reasoning', text: 'r' })).toEqual({ role: 'assistant', content: 'r' })
    expect(await reply({ kind: 'finish', reason: 'stop' })).toBeUndefined()
    expect(await reply({ kind: 'tool', index: 1, id: 'b', name: 'g' }, { kind: 'tool', index: 0, id: 'a', name: 'f', arguments: '{"x"' }, { kind: 'tool', index: 0, arguments: ':1}' })).toEqual({
      role: 'assistant', content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }, { id: 'b', type: 'function', function: { name: 'g', arguments: '' } }],
    })
  })
})
