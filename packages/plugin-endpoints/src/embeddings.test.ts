import { describe, expect, it } from 'vitest'
import chatEmbeddings from './chat_embeddings.js'
import embeddings from './embeddings.js'
import nimEmbeddings from './nim_embeddings.js'
import { whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'

const LIST = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }, { object: 'embedding', index: 1, embedding: 'AAAA' }], model: 'm', usage: { prompt_tokens: 5, total_tokens: 5 } }
const TWO = [{ kind: 'usage', usage: { prompt: 5, total: 5 } }, { kind: 'data', data: 'embedding', count: 2 }]

describe('embeddings', async () => {
  const plain = await endpoint(embeddings, { extraInputs: { dimensions: 8 } })
  it('send an array of texts, whatever their number', () => {
    expect(bodyOf(plain.encode(input(text('a', { maxTokens: 9 }))))).toEqual({ model: 'm', input: ['a'], dimensions: 8 })
    expect(bodyOf(plain.encode(input({ texts: [{ contents: ['a', 'b'] }, { contents: ['c'] }] })))['input']).toEqual(['a', 'b', 'c'])
    expect(() => plain.encode(input([text('a'), text('b')]))).toThrow(/one turn/)
    expect(plain.inputTexts({ input: ['a', 'b'] })).toEqual(['a', 'b'])
  })
  it('are counted; anything else says what came instead', () => {
    expect(whole(plain, LIST)).toEqual(TWO)
    for (const body of [{ data: [{ object: 'other' }] }, { data: [] }, [], '<html>proxy</html>']) {
      expect(whole(plain, body)).toMatchObject([{ kind: 'malformed' }])
    }
    expect(whole(plain, { state: 'model is loading' })).toEqual([{ kind: 'malformed', reason: 'expected a list of embeddings, got {"state":"model is loading"}' }])
    expect(whole(plain, { detail: 'model is loading' })).toEqual([{ kind: 'error', message: 'model is loading' }])
    expect(whole(plain, { error: { message: 'no' } })).toEqual([{ kind: 'error', message: 'no' }])
  })
})

describe('NIM embeddings', async () => {
  const plain = await endpoint(nimEmbeddings)
  it('send texts, images, or pairs', () => {
    const of = (texts: string[], images: string[]) => bodyOf(plain.encode(input({ texts: [{ contents: texts }], images: [{ contents: images }] })))['input']
    expect(of(['a', 'b'], [])).toEqual(['a', 'b'])
    expect(of([], ['data:image/png;base64,AA'])).toEqual(['data:image/png;base64,AA'])
    expect(of(['a', 'b'], ['x', 'y'])).toEqual(['a x', 'b y'])
    expect(() => of(['a'], ['x', 'y'])).toThrow(/1 texts and 2 images/)
    expect(whole(plain, LIST)).toEqual(TWO)
  })
})

describe('chat embeddings', async () => {
  const plain = await endpoint(chatEmbeddings)
  it('send a conversation and read every form of the answer', () => {
    expect(bodyOf(plain.encode(input({ ...text('Hi'), images: [{ contents: ['http://x'] }] }, { session: { system: 'S' } })))).toEqual({
      messages: [{ role: 'system', content: 'S' }, { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url', image_url: { url: 'http://x' } }] }], model: 'm', stream: false,
    })
    expect(whole(plain, LIST)).toEqual(TWO)
    expect(whole(plain, { embeddings: [[1], [2], [3]] })).toEqual([{ kind: 'data', data: 'embedding', count: 3 }])
    expect(whole(plain, { embeddings: { float: [[1], [2]] } })).toEqual([{ kind: 'data', data: 'embedding', count: 2 }])
    expect(whole(plain, { embedding: [1, 2, 3] })).toEqual([{ kind: 'data', data: 'embedding', count: 1 }])
    expect(whole(plain, { foo: 1 })).toMatchObject([{ kind: 'malformed' }])
  })
})
