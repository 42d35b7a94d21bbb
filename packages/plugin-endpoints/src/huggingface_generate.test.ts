import { describe, expect, it } from 'vitest'
import generate from './huggingface_generate.js'
import { stream, whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'

const token = (t: string, special = false, more: object = {}) => ({ index: 1, token: { id: 1, text: t, logprob: -1, special }, generated_text: null, details: null, ...more })

describe('huggingface_generate', async () => {
  const plain = await endpoint(generate, { extraInputs: { temperature: 0.5 } })

  it('puts extra inputs among the parameters, and the turn\'s own at the top', () => {
    expect(bodyOf(plain.encode(input({ texts: [{ contents: ['a', 'b'] }], maxTokens: 9, extraBody: { stream: false } })))).toEqual({ inputs: 'a b', parameters: { max_new_tokens: 9, temperature: 0.5 }, stream: false })
    expect(bodyOf(plain.encode(input(text('a'))))['parameters']).toEqual({ temperature: 0.5 })
    expect(plain.inputTexts({ inputs: 'a b' })).toEqual(['a b'])
  })

  it('streams tokens, special ones without text, and ends with the whole', () => {
    expect(stream(plain, token('Hi'), token(' you'), token('</s>', true, { generated_text: 'Hi you', details: { finish_reason: 'eos_token', generated_tokens: 3, input_length: 5 } }))).toEqual([
      { kind: 'text', text: 'Hi' }, { kind: 'text', text: ' you' }, { kind: 'usage', usage: { completion: 3, prompt: 5 } }, { kind: 'finish', reason: 'eos_token' }, { kind: 'done' },
    ])
    expect(stream(plain, token('Hi'), { generated_text: 'Hi', details: { finish_reason: 'length' } })).toEqual([{ kind: 'text', text: 'Hi' }, { kind: 'finish', reason: 'length' }, { kind: 'done' }])
    expect(stream(plain, token('Hi'), { error: 'Request failed during generation', error_type: 'generation' })).toEqual([
      { kind: 'text', text: 'Hi' }, { kind: 'error', message: 'Request failed during generation', type: 'generation' },
    ])
  })

  it('reads bodies, also in an array', () => {
    expect(whole(plain, { generated_text: 'Hi' })).toEqual([{ kind: 'text', text: 'Hi' }])
    expect(whole(plain, [{ generated_text: 'Hi', details: { finish_reason: 'length', generated_tokens: 1, prefill: [{ id: 1 }, { id: 2 }] } }])).toEqual([
      { kind: 'text', text: 'Hi' }, { kind: 'usage', usage: { completion: 1, prompt: 2 } }, { kind: 'finish', reason: 'length' },
    ])
  })
})
