import type { Delta } from '@aiperf/core'
import { describe, expect, it } from 'vitest'
import completions from './completions.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'
import { frameOf } from '../test/frames.js'

describe('completions', () => {
  it('sends one prompt as a string, several as an array, and no conversation', async () => {
    const plain = await endpoint(completions, { extraInputs: { n: 1 } })
    expect(bodyOf(plain.encode(input(text('Hi', { maxTokens: 5 }), { session: { system: 'S', userContext: 'U' } })))).toEqual({ prompt: 'Hi', model: 'm', stream: false, max_tokens: 5, n: 1 })
    expect(bodyOf(plain.encode(input({ texts: [{ contents: ['a', ''] }, { contents: ['b'] }], maxTokens: 0 })))).toEqual({ prompt: ['a', 'b'], model: 'm', stream: false, n: 1 })
    const streaming = await endpoint(completions, { streaming: true })
    expect(bodyOf(streaming.encode(input(text('Hi'))))).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(() => plain.encode(input([text('1'), text('2')]))).toThrow(/one turn per request, got 2/)
  })

  it('reads streams and bodies', async () => {
    const { decoder } = await endpoint(completions)
    const stream = decoder()
    const chunks = [
      { object: 'text_completion', choices: [{ index: 0, text: 'a', finish_reason: null }] },
      { object: 'text_completion', choices: [{ index: 0, text: 'b', finish_reason: null }] },
      { object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'length' }] },
      { object: 'text_completion', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ]
    const deltas = [...chunks.map((c) => JSON.stringify(c)), '[DONE]'].flatMap((data) => structuredClone(stream.push(frameOf(data))) as Delta[])
    expect(deltas).toEqual([{ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' }, { kind: 'finish', reason: 'length' }, { kind: 'usage', usage: { prompt: 1, completion: 2 } }, { kind: 'done' }])
    const whole = decoder().push(frameOf(JSON.stringify({ object: 'completion', choices: [{ text: 'abc', finish_reason: 'stop' }] }), { framing: 'body' }))
    expect(whole).toEqual([{ kind: 'text', text: 'abc' }, { kind: 'finish', reason: 'stop' }])
    expect(decoder().push(frameOf('{"object":"chat.completion","choices":[{"text":"a"}]}'))).toEqual([])
  })

  it('counts the prompt as input', async () => {
    expect((await endpoint(completions)).inputTexts({ prompt: 'Hi', model: 'm' })).toEqual(['Hi'])
  })
})
