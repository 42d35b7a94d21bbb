import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startMockServer, type MockServer, type MockServerOptions } from '../index.js'
import type { Said } from '../../test/said.js'

const instant = (options: MockServerOptions = {}) => startMockServer({ instant: true, outputTokens: 3, ...options })
const post = (server: MockServer, path: string, body: object) => fetch(server.url + path, { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) })
const json = async (response: Response): Promise<Said> => (await response.json()) as Said

function form(values: Record<string, string | Blob>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(values)) made.append(name, value as string)
  return made
}

test('rankings are sorted, the same for the same texts, in the shape of each service', async () => {
  await using server = await instant()
  const texts = ['one', 'two', 'three', 'four']
  const cohere = await json(await post(server, '/v2/rerank', { model: 'm', query: 'q', documents: texts, top_n: 3 }))
  const scores = (cohere['results'] as Said[]).map(({ relevance_score }) => relevance_score as number)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(scores).toHaveLength(3)
  expect(cohere).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/), meta: { billed_units: { search_units: 1 } } })
  const tei = (await json(await post(server, '/rerank', { query: 'q', texts, return_text: true }))) as unknown as Said[]
  expect(tei.slice(0, 3).map(({ index }) => index as number)).toEqual((cohere['results'] as Said[]).map(({ index }) => index as number))
  expect(tei.every(({ index, text }) => texts[index as number] === text)).toBe(true)
  const nim = await json(await post(server, '/v1/ranking', { model: 'm', query: { text: 'q' }, passages: texts.map((text) => ({ text })) }))
  expect((nim['rankings'] as Said[]).map(({ index }) => index as number)).toEqual(tei.map(({ index }) => index as number))
  expect(server.truth().map(({ promptChars, tokens, ending }) => [promptChars, tokens, ending])).toEqual(Array.from({ length: 3 }, () => [16, 0, 'complete']))
})

test.each([
  ['/v2/rerank', { query: 'q', documents: ['a'] }, 400, { message: 'model: this field is required' }],
  ['/rerank', { query: 'q', texts: [] }, 422, { error: expect.stringContaining('texts'), error_type: 'validation' }],
  ['/v1/ranking', { query: { text: 'q' } }, 400, { error: { message: expect.stringContaining('passages') } }],
  ['/v1/infer', { input: [{ type: 'image_url', url: 'https://example.com/a.png' }] }, 400, { error: { message: expect.stringContaining('data URL') } }],
  ['/v1/images/generations', {}, 400, { error: { message: 'prompt: this field is required' } }],
  ['/v1/videos', {}, 400, { error: { message: 'prompt: this field is required' } }],
  ['/v1/audio/transcriptions', form({ model: 'm' }), 400, { error: { message: 'file: this field is required' } }],
  ['/v1/images/edits', form({ prompt: 'p' }), 400, { error: { message: 'image: this field is required' } }],
])('%s refuses what makes no sense', async (path, body, status, answer) => {
  await using server = await instant()
  const response = await post(server, path, body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(answer)
  expect(server.truth()[0]).toMatchObject({ ending: 'error', status })
})

test('embeddings of texts, token ids and conversations, as numbers or base64', async () => {
  await using server = await instant()
  const embed = async (body: object) => json(await post(server, '/v1/embeddings', { model: 'm', ...body }))
  expect((await embed({ input: ['a', 'b'] }))['data']).toHaveLength(2)
  expect((await embed({ input: [1, 2, 3] }))['data']).toHaveLength(1)
  expect((await embed({ messages: [{ role: 'user', content: [{ type: 'text', text: 'abcd' }] }] }))['data']).toHaveLength(1)
  const [plain, packed] = [await embed({ input: 'a', dimensions: 5 }), await embed({ input: 'a', dimensions: 5, encoding_format: 'base64' })]
  const bytes = Buffer.from(packed['data'][0].embedding as string, 'base64')
  expect([0, 1, 2, 3, 4].map((at) => bytes.readFloatLE(at * 4))).toEqual((plain['data'][0].embedding as number[]).map(Math.fround))
})

test('images: whole, by address, and with previews', async () => {
  await using server = await startMockServer({ ttftMs: 10, itlMs: 5 })
  const whole = await json(await post(server, '/v1/images/generations', { prompt: 'a cat', n: 2 }))
  expect(Buffer.from(whole['data'][1].b64_json as string, 'base64').subarray(1, 4).toString()).toBe('PNG')
  expect(whole['usage']).toMatchObject({ input_tokens: 2, output_tokens: 8320, total_tokens: 8322 })
  expect((await json(await post(server, '/v1/images/generations', { prompt: 'a', response_format: 'url' })))['data'][0].url).toMatch(/^https:/)
  const stream = await (await post(server, '/v1/images/generations', { prompt: 'a', stream: true, partial_images: 2 })).text()
  expect(stream.match(/^event: .*/gm)).toEqual(['event: image_generation.partial_image', 'event: image_generation.partial_image', 'event: image_generation.completed'])
  expect(stream.match(/"partial_image_index":\d/g)).toEqual(['"partial_image_index":0', '"partial_image_index":1'])
  const { sentUs, tokens } = server.truth()[2]!
  expect([tokens, sentUs[0]! >= 10_000, sentUs[2]! >= 20_000]).toEqual([3, true, true])
})

test('image edits take forms of several megabytes', async () => {
  await using server = await instant()
  const image = new Blob([Buffer.alloc(6 << 20, 0x89)], { type: 'image/png' })
  const edited = await json(await post(server, '/v1/images/edits', form({ model: 'm', prompt: '42', n: '2', image })))
  expect(edited['data']).toHaveLength(2)
  expect(server.truth()[0]).toMatchObject({ model: 'm', promptChars: 2, tokens: 2 })
  const stream = await (await post(server, '/v1/images/edits', form({ prompt: 'p', stream: 'true', 'image[]': image }))).text()
  expect(stream.match(/^event: .*/gm)).toEqual(['event: image_edit.completed'])
})

test('images are found things in', async () => {
  await using server = await instant()
  const url = `data:image/png;base64,${Buffer.alloc(1000).toString('base64')}`
  const found = await json(await post(server, '/v1/infer', { input: [{ type: 'image_url', url }, { type: 'image_url', url }] }))
  expect((found['data'] as Said[]).map(({ index }) => index as number)).toEqual([0, 1])
  expect(found['usage']).toEqual({ images_size_mb: 0.002 })
})

test.each([
  ['json', 'application/json', /^\{"text":"[^"]+","usage":\{"type":"tokens","input_tokens":20,/],
  ['verbose_json', 'application/json', /"duration":2,.*"segments":\[\{"id":0,/],
  ['text', 'text/plain', /^[a-z]+ [a-z]+ [a-z]+\n$/],
  ['srt', 'text/plain', /^1\n00:00:00,000 --> 00:00:02,000\n/],
  ['vtt', 'text/plain', /^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.000\n/],
])('a transcript as %s', async (format, type, expected) => {
  await using server = await instant()
  const response = await post(server, '/v1/audio/transcriptions', form({ file: new Blob([Buffer.alloc(64_000)], { type: 'audio/wav' }), model: 'm', response_format: format }))
  expect(response.headers.get('content-type')).toContain(type)
  expect(await response.text()).toMatch(expected)
  expect(server.truth()[0]).toMatchObject({ tokens: 3, promptTokens: 20 })
})

test('a transcript in events says the same as a whole one', async () => {
  await using server = await instant()
  const asked = { file: new Blob([Buffer.alloc(64_000)]), model: 'm' }
  const { text } = await json(await post(server, '/v1/audio/transcriptions', form(asked)))
  server.reset()
  const stream = await (await post(server, '/v1/audio/transcriptions', form({ ...asked, stream: 'true' }))).text()
  const events = [...stream.matchAll(/^data: (\{.*)/gm)].map(([, data]) => JSON.parse(data!) as Said)
  expect(events.map(({ delta }) => (delta as string) ?? '').join('')).toBe(text)
  expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text })
})

test('a video is a job: in line, under way, done', async () => {
  await using server = await instant({ videoMs: 2000 })
  const job = await json(await post(server, '/v1/videos', form({ prompt: 'a cat', model: 'm', seconds: '8' })))
  expect(job).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '8', model: 'm' })
  const path = `${server.url}/v1/videos/${job['id']}`
  expect((await fetch(`${path}/content`)).status).toBe(404)
  const states = new Set<string>()
  let last: Said
  do {
    last = await json(await fetch(path))
    states.add(last['status'] as string)
    await sleep(20)
  } while (last['status'] !== 'completed' && states.size < 4)
  expect([...states]).toEqual(expect.arrayContaining(['in_progress', 'completed']))
  const video = await fetch(`${path}/content`)
  expect([video.headers.get('content-type'), (await video.arrayBuffer()).byteLength]).toEqual(['video/mp4', 65536])
  expect((await fetch(`${server.url}/v1/videos/none`)).status).toBe(404)
  expect(server.truth()).toHaveLength(1)
})

test('the job of a video can fail', async () => {
  await using server = await instant({ videoMs: 0, faults: { errorEventRate: 1 } })
  const job = await json(await post(server, '/v1/videos', { prompt: 'a cat' }))
  expect(await json(await fetch(`${server.url}/v1/videos/${job['id']}`))).toMatchObject({ status: 'failed', error: { message: expect.any(String) } })
})

test('routes are found behind a prefix', async () => {
  await using server = await instant()
  expect((await post(server, '/proxy/v2/rerank', { model: 'm', query: 'q', documents: ['a'] })).status).toBe(200)
  expect((await fetch(`${server.url}/proxy/v1/videos/x/content`)).status).toBe(404)
  expect((await fetch(`${server.url}/v1/videos/x`, { method: 'POST' })).status).toBe(405)
})
