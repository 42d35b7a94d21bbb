import { describe, expect, it } from 'vitest'
import edit from './image_edit.js'
import generation from './image_generation.js'
import retrieval from './image_retrieval.js'
import { stream, whole } from '../test/decode.js'
import { bodyOf, endpoint, input, text } from '../test/endpoint.js'
import { formOf } from '../test/form.js'

const USAGE = { input_tokens: 5, output_tokens: 100, total_tokens: 105 }
const COUNTS = { kind: 'usage', usage: { prompt: 5, completion: 100, total: 105 } }
const PNG = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')

describe('image_generation', async () => {
  const plain = await endpoint(generation, { extraInputs: { size: '512x512' } })
  it('sends the first text as its prompt', async () => {
    expect(bodyOf(plain.encode(input({ texts: [{ contents: ['a cat', 'a dog'] }] })))).toEqual({ prompt: 'a cat', model: 'm', response_format: 'b64_json', n: 1, size: '512x512' })
    expect(bodyOf((await endpoint(generation, { streaming: true })).encode(input(text('a'))))).toMatchObject({ stream: true })
    expect(() => plain.encode(input({}))).toThrow(/needs a prompt/)
  })
  it('counts images, however they come', () => {
    expect(whole(plain, { created: 1, data: [{ b64_json: 'AA', revised_prompt: 'x' }, { url: 'http://x' }], usage: USAGE, inference_time_s: 1.5 })).toEqual([
      { kind: 'data', data: 'image', count: 2 }, { kind: 'field', name: 'inference_time_s', value: 1.5 }, COUNTS, { kind: 'done' },
    ])
    expect(whole(plain, { created: 1, data: [] })).toMatchObject([{ kind: 'malformed', reason: expect.stringContaining('expected images') }])
  })
  it('streams previews and the image', () => {
    expect(stream(plain, { event: 'image_generation.partial_image', data: { type: 'image_generation.partial_image', b64_json: 'AA', partial_image_index: 0 } }, { event: 'image_generation.completed', data: { type: 'image_generation.completed', b64_json: 'AAAA', usage: USAGE } })).toEqual([
      { kind: 'data', data: 'partial_image', count: 1 }, { kind: 'data', data: 'image', count: 1 }, COUNTS, { kind: 'done' },
    ])
  })
})

describe('image_edit', async () => {
  const plain = await endpoint(edit, { extraInputs: { size: '512x512', mask: 'no', prompt: 'no', n: 2, flag: true, nested: { a: [1] }, none: null } })
  it('sends a form with the image as a file', async () => {
    const request = plain.encode(input({ ...text('blue'), images: [{ contents: [`data:image/png;base64,${PNG}`] }] }))
    expect(await formOf(request)).toEqual([
      ['prompt', 'blue'], ['model', 'm'], ['response_format', 'b64_json'], ['n', '2'], ['size', '512x512'], ['flag', 'true'], ['nested', '{"a":[1]}'],
      ['image', { name: 'image.png', type: 'image/png', bytes: Buffer.from(PNG, 'base64') }],
    ])
  })
  it('knows formats by their first bytes, addresses by themselves', async () => {
    const parts = async (...images: string[]) => (await formOf(plain.encode(input({ ...text('x'), images: [{ contents: images }] })))).slice(7)
    const b64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64')
    expect(await parts(b64('\xff\xd8\xff\xe0'))).toMatchObject([['image', { name: 'image.jpg', type: 'image/jpeg' }]])
    expect(await parts(b64('GIF89a'), b64('RIFF0000WEBP'), b64('BM00'))).toMatchObject([['image[]', { type: 'image/gif' }], ['image[]', { type: 'image/webp' }], ['image[]', { type: 'image/bmp' }]])
    expect(await parts('https://x/i.png')).toEqual([['url', 'https://x/i.png']])
    await expect(parts(b64('????'))).rejects.toThrow(/format of an image/)
    await expect(parts('data:image/png;base64,no*base64')).rejects.toThrow(/no base64/)
    expect(() => plain.encode(input(text('x')))).toThrow(/needs an image/)
  })
  it('sends every body with the same boundary, in every thread', async () => {
    const again = await endpoint(edit, { extraInputs: { size: '512x512', mask: 'no', prompt: 'no', n: 2, flag: true, nested: { a: [1] }, none: null } })
    const turn = input({ ...text('x'), images: [{ contents: ['https://x'] }] })
    expect(again.encode(turn).contentType).toBe(plain.encode(turn).contentType)
    expect(whole(plain, { data: [{ b64_json: 'AA' }] })).toEqual([{ kind: 'data', data: 'image', count: 1 }, { kind: 'done' }])
  })
})

describe('image_retrieval', async () => {
  const plain = await endpoint(retrieval)
  it('sends images and counts what was found in them', () => {
    expect(bodyOf(plain.encode(input({ images: [{ contents: ['data:image/png;base64,AA'] }] })))).toEqual({ input: [{ type: 'image_url', url: 'data:image/png;base64,AA' }] })
    expect(() => plain.encode(input(text('x')))).toThrow(/needs an image/)
    expect(whole(plain, { data: [{ index: 0, bounding_boxes: { table: [] } }], usage: { images_size_mb: 0.5 } })).toEqual([{ kind: 'data', data: 'retrieval', count: 1 }])
    expect(whole(plain, { data: [] })).toMatchObject([{ kind: 'malformed' }])
    expect(plain.inputTexts({ input: [{ type: 'image_url', url: 'x' }] })).toEqual([])
  })
})
