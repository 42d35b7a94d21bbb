import { describe, expect, it } from 'vitest'
import { exchange, now, request } from '../test/exchange.js'
import { ANSWER, setUp, sleep } from '../test/set-up.js'

describe('a request', () => {
  it('goes out as one well-formed HTTP/1.1 message', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    await exchange(transport, request(target, { headers: ['X-Request-ID', 'r1'] }))
    expect(server.requests[0]).toBe(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${server.url.host}\r\nUser-Agent: test\r\nAccept: text/event-stream\r\nX-Request-ID: r1\r\nContent-Length: 7\r\n\r\n{"a":1}`,
    )
  })

  it('has its own headers in place of fixed ones of the same name, and a true length whatever they say', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    for (let i = 0; i < 2; i++) {
      await exchange(transport, request(target, { headers: ['user-agent', 'mine', 'Content-Length', '99', 'host', 'other'] }))
      expect(server.requests[i]).toBe('POST /v1/chat/completions HTTP/1.1\r\nHost: other\r\nAccept: text/event-stream\r\nuser-agent: mine\r\nContent-Length: 7\r\n\r\n{"a":1}')
    }
  })

  it('of GET carries no length, of POST without a body the length 0', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    await exchange(transport, request(target, { method: 'GET', body: undefined }))
    await exchange(transport, request(target, { body: undefined }))
    expect(server.requests[0]).not.toMatch(/content-length/i)
    expect(server.requests[1]).toMatch(/Content-Length: 0\r\n/)
  })

  it.each([1_000, 16_385, 3_000_000])('carries a body of %i bytes, also one in shared memory', async (size) => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const shared = new Uint8Array(new SharedArrayBuffer(size + 10), 3, size).fill(0x61)
    for (const body of [Buffer.alloc(size, 'a'), shared]) {
      const seen = await exchange(transport, request(target, { body }))
      expect(seen.failure).toBeUndefined()
      expect(seen.connection!.bytesSent).toBe(server.requests.at(-1)!.length)
      expect(server.requests.at(-1)!.endsWith('a'.repeat(size))).toBe(true)
      expect(seen.calls.indexOf('written')).toBeGreaterThan(-1)
    }
    expect(server.connections).toBe(1)
  })

  it.each([
    ['a line end in a header', { headers: ['X-A', 'b\r\nX-C: d'] }],
    ['a character beyond Latin-1 in a header', { headers: ['X-A', '中'] }],
    ['no token as header name', { headers: ['X A', 'b'] }],
    ['a space in the path', { path: '/a b' }],
    ['Transfer-Encoding', { headers: ['Transfer-Encoding', 'chunked'] }],
  ])('with %s is refused, and the connection serves the next one', async (_, bad) => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const seen = await exchange(transport, request(target, bad))
    expect(seen.failure?.category).toBe('protocol')
    expect((await exchange(transport, request(target))).body).toBe('hi')
    expect(server.requests).toHaveLength(1)
  })
})

describe('stamps', () => {
  it('come in the order of what happens, connection set-up only where it was paid for', async () => {
    const { transport, server } = await setUp((_, socket) => socket.write(ANSWER))
    const target = { url: new URL(`http://localhost:${server.url.port}/`) }
    const before = now()
    const first = await exchange(transport, request(target))
    expect(first.calls).toEqual(['dns', 'tcp', 'assigned', 'written', 'first-byte', 'head', 'bytes', 'end'])
    const { dns, tcp, assigned, written, 'first-byte': firstByte } = first.phases
    const stamps = [before, dns!, tcp!, assigned!, written!, firstByte!, first.endNs, now()]
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    expect(first.connection).toMatchObject({ reused: false, retried: false })
    const second = await exchange(transport, request(target))
    expect(second.calls).toEqual(['assigned', 'written', 'first-byte', 'head', 'bytes', 'end'])
    expect(second.connection).toMatchObject({ id: first.connection!.id, reused: true, localPort: first.connection!.localPort })
  })

  it('of an interim response are not those of the answer', async () => {
    const { transport, target } = await setUp(async (_, socket) => {
      socket.write('HTTP/1.1 102 Processing\r\n\r\n')
      await sleep(30)
      socket.write(ANSWER)
    })
    const seen = await exchange(transport, request(target))
    expect(seen.calls.filter((c) => c === 'first-byte')).toHaveLength(2)
    expect(seen.calls.filter((c) => c === 'head')).toHaveLength(1)
    expect(seen.phases['first-byte']! - seen.phases.written!).toBeGreaterThan(25e6)
  })
})
