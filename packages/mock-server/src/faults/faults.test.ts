import { expect, test } from 'vitest'
import { CHAT, chat, chatBody, dataOf, eventsOf, saidBy, wholeOf, wordsIn } from '../../test/chat.js'
import { RawClient } from '../../test/raw-client.js'
import { startMockServer, type FaultOptions, type MockServerOptions } from '../index.js'

const faulty = (faults: FaultOptions, options: MockServerOptions = {}) => startMockServer({ instant: true, outputTokens: 20, faults, ...options })

test('error statuses, with the error object of OpenAI-compatible servers', async () => {
  await using server = await faulty({ errorRate: 1, errorStatuses: [429, 503] })
  const responses = await Promise.all(Array.from({ length: 20 }, () => chat(server)))
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([429, 503]))
  for (const response of responses) {
    expect(wholeOf(response).error).toMatchObject({ message: expect.any(String), code: response.status })
    expect(response.headers['retry-after']).toBe('1')
  }
  expect(server.truth().every((record) => record.ending === 'error' && record.tokens === 0)).toBe(true)
})

test('a cut stream ends properly, with no finish reason, and its connection lives on', async () => {
  await using server = await faulty({ cutRate: 1 })
  const client = await RawClient.open(server)
  for (let count = 0; count < 3; count++) {
    const response = await client.post(CHAT, chatBody())
    expect(response.complete).toBe(true)
    expect(dataOf(response.body)).not.toContain('[DONE]')
    expect(eventsOf(response).every((event) => event.choices[0]!.finish_reason === null)).toBe(true)
    const { tokens, ending } = server.truth()[count]!
    expect({ tokens, ending }).toEqual({ tokens: wordsIn(saidBy(response).content), ending: 'cut' })
    expect(tokens).toBeGreaterThan(0)
    expect(tokens).toBeLessThan(20)
  }
  client.close()
})

test('a reset connection is an error for the client, after some tokens', async () => {
  await using server = await faulty({ resetRate: 1 }, { instant: false, itlMs: 2 })
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody())
  expect(response.complete).toBe(false)
  expect(client.ended).toBe('ECONNRESET')
  expect(saidBy(response).content).not.toBe('')
  expect(server.truth()[0]).toMatchObject({ ending: 'reset', faults: ['reset'] })
})

test('a truncated stream ends within a chunk', async () => {
  await using server = await faulty({ truncateRate: 1 })
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody())
  expect(response.complete).toBe(false)
  expect(client.ended).toBe('end')
  expect(client.reads.join('')).not.toMatch(/\r\n$/)
})

test('a whole answer that is broken off is shorter than it promised', async () => {
  await using server = await faulty({ cutRate: 1 })
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody({ stream: false }))
  expect(response.complete).toBe(false)
  expect(response.body.length).toBeLessThan(Number(response.headers['content-length']))
})

test('an error event ends a stream that began well', async () => {
  await using server = await faulty({ errorEventRate: 1 })
  const response = await chat(server)
  const events = eventsOf(response)
  expect(response).toMatchObject({ status: 200, complete: true })
  expect(events.at(-1)!.error).toMatchObject({ code: 500 })
  expect(events.slice(0, -1).every((event) => event.error === undefined)).toBe(true)
  expect(dataOf(response.body)).not.toContain('[DONE]')
})

test('a stalled stream pauses once and then goes on to its end', async () => {
  await using server = await faulty({ stallRate: 1, stallMs: 80 })
  expect(saidBy(await chat(server)).content).not.toBe('')
  const { sentUs, tokens, ending } = server.truth()[0]!
  // All are due at the arrival but those after the pause.
  expect(sentUs.at(-1)).toBeGreaterThanOrEqual(79_999)
  expect({ tokens, ending }).toEqual({ tokens: 20, ending: 'complete' })
})

test('a malformed event is broken JSON among sound events', async () => {
  await using server = await faulty({ malformedRate: 1 })
  const data = dataOf((await chat(server)).body).slice(0, -1)
  const broken = data.filter((json) => !isJson(json))
  expect(broken).toHaveLength(1)
  expect(server.truth()[0]!.tokens).toBe(19)
})

test('a slow head comes in two parts', async () => {
  await using server = await faulty({ slowHeadersRate: 1, slowHeadersMs: 150 })
  for (const stream of [true, false]) {
    const client = await RawClient.open(server)
    const response = await client.post(CHAT, chatBody({ stream }))
    expect(response.complete).toBe(true)
    expect(client.reads[0]).toMatch(/^HTTP\/1.1 200 OK/)
    expect(client.reads[0]).not.toContain('\r\n\r\n')
    client.close()
  }
})

test('a connection is dropped after the response though it was promised to stay', async () => {
  await using server = await faulty({ dropRate: 1 })
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody())
  expect(response).toMatchObject({ complete: true, headers: { connection: 'keep-alive' } })
  expect(await client.untilEnd()).toBe('end')
})

test('comments, CR LF and cuts at any byte change nothing of what is said', async () => {
  await using plain = await faulty({})
  const expected = saidBy(await chat(plain)).content
  await using server = await faulty({ commentRate: 1, crlfRate: 1, splitRate: 1 })
  const client = await RawClient.open(server)
  const response = await client.post(CHAT, chatBody())
  expect(response.complete).toBe(true)
  expect(response.body).toContain(': keep-alive\r\n\r\n')
  expect(response.body.replaceAll('\r\n', '')).not.toContain('\n')
  expect(saidBy(response).content).toBe(expected)
  expect(Math.min(...client.reads.map((read) => read.length))).toBeLessThan(24)
  expect((await client.post(CHAT, chatBody({ stream: false }))).complete).toBe(true)
  client.close()
})

test('a JSON body where a stream was asked for', async () => {
  await using server = await faulty({ jsonBodyRate: 1 })
  const response = await chat(server)
  expect(response.headers['content-type']).toBe('application/json')
  expect(wholeOf(response).object).toBe('chat.completion')
})

test('rates are kept, the seed decides, and one fault does not move another', async () => {
  const drawn = async (faults: FaultOptions, seed: number) => {
    await using server = await faulty({ errorRate: 0.2, ...faults }, { seed, outputTokens: 1, coalesce: true })
    const client = await RawClient.open(server)
    for (let count = 0; count < 400; count++) await client.post(CHAT, chatBody())
    client.close()
    return server.truth().map((record) => record.ending === 'error')
  }
  const errors = await drawn({}, 1)
  const share = errors.filter(Boolean).length / errors.length
  expect(share).toBeGreaterThan(0.14)
  expect(share).toBeLessThan(0.26)
  expect(await drawn({ commentRate: 0.5 }, 1)).toEqual(errors)
  expect(await drawn({}, 2)).not.toEqual(errors)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
