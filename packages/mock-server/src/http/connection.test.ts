import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAT, chatBody, eventsOf } from '../../test/chat.js'
import { postText, RawClient } from '../../test/raw-client.js'
import { startMockServer, type MockServer } from '../index.js'

let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ instant: true, outputTokens: 3, maxHeaderBytes: 2000, maxBodyBytes: 100_000 })
})
afterAll(() => server.close())

test('a connection is kept open for many requests', async () => {
  const client = await RawClient.open(server)
  for (let count = 0; count < 5; count++) {
    const response = await client.post(CHAT, chatBody())
    expect(response).toMatchObject({ status: 200, complete: true })
  }
  expect(client.ended).toBe('open')
  client.close()
})

test('pipelined requests are answered in order, also where the first takes longer', async () => {
  await using paced = await startMockServer({ ttftMs: 20, outputTokens: 2 })
  const client = await RawClient.open(paced)
  client.write(['a', 'b', 'c'].map((id) => postText(CHAT, chatBody(), { 'x-request-id': id })).join('') + 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  for (const id of ['a', 'b', 'c']) expect((await client.response()).headers['x-request-id']).toBe(id)
  expect(await client.response()).toMatchObject({ status: 200, body: '' })
  expect(paced.stats().maxInFlight).toBe(1)
  client.close()
})

test('a request may come byte by byte', async () => {
  const client = await RawClient.open(server)
  for (const byte of postText(CHAT, chatBody({ messages: [] , max_tokens: 2 }))) {
    client.write(byte)
    if (Math.random() < 0.2) await new Promise(setImmediate)
  }
  expect(eventsOf(await client.response())).toHaveLength(4)
  client.close()
})

test('a chunked request body with extensions and trailers is understood', async () => {
  const client = await RawClient.open(server)
  const body = JSON.stringify(chatBody({ stream: false }))
  const pieces = [body.slice(0, 7), body.slice(7, 30), body.slice(30)].map((piece) => `${piece.length.toString(16)};x=y\r\n${piece}\r\n`)
  client.write(`POST ${CHAT} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${pieces.join('')}0\r\nx-trailer: z\r\n\r\n`)
  expect(JSON.parse((await client.response()).body).object).toBe('chat.completion')
  expect((await client.post(CHAT, chatBody())).status).toBe(200)
  client.close()
})

test('a client that expects it is told to continue', async () => {
  const client = await RawClient.open(server)
  const [head, body] = postText(CHAT, chatBody(), { expect: '100-continue' }).split('\r\n\r\n') as [string, string]
  client.write(`${head}\r\n\r\n`)
  expect((await client.response()).status).toBe(100)
  client.write(body)
  expect((await client.response()).status).toBe(200)
  client.close()
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00', 400],
  ['no version', 'GET /\r\n\r\n', 400],
  ['a bad header line', 'GET / HTTP/1.1\r\nbad header\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
  ['a length that is none', 'POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n', 400],
  ['length beside chunks', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
  ['another encoding', 'POST / HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n', 501],
  ['a chunk size that is none', 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', 400],
  ['a chunk longer than it said', 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nabcd\r\n', 400],
  ['a head without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(3000)}`, 431],
  ['a body too long', 'POST / HTTP/1.1\r\ncontent-length: 100001\r\n\r\n', 413],
])('%s is refused and the connection closed', async (_, text, status) => {
  const client = await RawClient.open(server)
  client.write(text)
  const response = await client.response()
  expect(response.status).toBe(status)
  expect(JSON.parse(response.body).error.message).not.toBe('')
  expect(await client.untilEnd()).toBe('end')
})

test('HTTP/1.0 gets a stream that ends with the connection', async () => {
  const client = await RawClient.open(server)
  client.write(postText(CHAT, chatBody()).replace('HTTP/1.1', 'HTTP/1.0'))
  expect(await client.untilEnd()).toBe('end')
  const response = await client.response()
  expect(response.headers['transfer-encoding']).toBeUndefined()
  expect(response.body).toMatch(/^data: .*data: \[DONE\]\n\n$/s)
})

test('HTTP/1.0 keeps a connection where it asks for it, and HEAD gets a head alone', async () => {
  const client = await RawClient.open(server)
  client.write('HEAD /v1/models HTTP/1.0\r\nconnection: keep-alive\r\n\r\nGET /health HTTP/1.0\r\n\r\n')
  expect(await client.untilEnd()).toBe('end')
  const [first, second] = client.received.split('\r\n\r\n')
  expect(first).toContain('connection: keep-alive')
  expect(second).toMatch(/^HTTP\/1.1 200 OK.*connection: close/s)
})

test('connection: close is honoured and said back', async () => {
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody(), { connection: 'close' })
  expect(response.headers['connection']).toBe('close')
  expect(await client.untilEnd()).toBe('end')
})

test('unknown paths are 404, wrong methods 405, and a proxy prefix is no obstacle', async () => {
  const client = await RawClient.open(server)
  expect((await client.post('/nowhere', {})).status).toBe(404)
  expect(await client.post('/health', {})).toMatchObject({ status: 405, headers: { allow: 'GET' } })
  expect((await client.post(`/proxy${CHAT}?x=1`, chatBody())).status).toBe(200)
  client.close()
})

test('a body in many reads is put together', async () => {
  const client = await RawClient.open(server)
  const text = postText(CHAT, chatBody({ stream: false, messages: [{ role: 'user', content: 'x'.repeat(80_000) }] }))
  for (let at = 0; at < text.length; at += 10_000) {
    client.write(text.slice(at, at + 10_000))
    await new Promise(setImmediate)
  }
  expect(JSON.parse((await client.response()).body).usage.prompt_tokens).toBe(20_000)
  client.close()
})

test('an idle connection is closed after its time, and one in use is not', async () => {
  await using closing = await startMockServer({ idleTimeoutMs: 30, ttftMs: 120, outputTokens: 1 })
  const client = await RawClient.open(closing)
  expect((await client.post(CHAT, chatBody())).complete).toBe(true)
  expect(await client.untilEnd()).toBe('end')
})
