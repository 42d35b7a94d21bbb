import type { Target, Transport } from '@aiperf/core'
import fc from 'fast-check'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { byUndici, exchange, lean, request, type Outcome } from '../test/exchange.js'
import { rawServer } from '../test/raw-server.js'
import { responseBytes } from '../test/responses.js'
import { afterwards, ANSWER, sleep } from '../test/set-up.js'

/** What two clients must agree on: status, headers and body, or that it cannot be read. */
function verdict(seen: Outcome): unknown {
  return seen.failure === undefined ? { status: seen.status, headers: seen.headers, body: seen.body } : 'error'
}

describe('the same bytes', () => {
  it('mean the same to the lean client and to undici', async () => {
    let bytes: Buffer = Buffer.alloc(0)
    let cuts: number[] = []
    const server = await rawServer(async (_, socket) => {
      let at = 0
      for (const cut of cuts) {
        socket.write(bytes.subarray(at, (at = Math.min(bytes.length, at + cut))))
        await new Promise((resolve) => setImmediate(resolve))
      }
      socket.end(bytes.subarray(at))
    })
    afterwards(() => server.close())
    const target: Target = { url: server.url }
    const transports: Transport[] = [await lean(), await byUndici()]
    for (const transport of transports) afterwards(() => transport.close())
    let agreed = 0
    let errors = 0
    await fc.assert(
      fc.asyncProperty(responseBytes, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }), async (response, pieces) => {
        bytes = response.bytes
        cuts = pieces
        const [ours, theirs] = (await Promise.all(transports.map((t) => exchange(t, request(target, { connection: 'never', timeoutMs: 2000 }))))) as [Outcome, Outcome]
        expect(verdict(ours)).toEqual(verdict(theirs))
        agreed++
        if (ours.failure) errors++
      }),
      { numRuns: 300 },
    )
    // The generator must reach both sides of the judgement.
    expect(errors).toBeGreaterThan(agreed / 20)
    expect(errors).toBeLessThan(agreed / 2)
  })
})

describe('undici as transport', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('keeps the contract of stamps and connections', async () => {
    const server = await rawServer((_, socket) => socket.write(ANSWER))
    afterwards(() => server.close())
    const transport = await byUndici()
    afterwards(() => transport.close())
    const target = { url: server.url }
    const first = await exchange(transport, request(target))
    expect(first.calls).toEqual(['tcp', 'assigned', 'written', 'first-byte', 'head', 'bytes', 'end'])
    expect(first.connection).toMatchObject({ reused: false, retried: false, remoteAddress: '127.0.0.1' })
    await sleep(30)
    const second = await exchange(transport, request(target))
    expect(second.calls).toEqual(['assigned', 'written', 'first-byte', 'head', 'bytes', 'end'])
    expect(second.connection).toMatchObject({ id: first.connection!.id, reused: true })
    const key = { connection: { key: 'a', last: false } }
    const a = await exchange(transport, request(target, key))
    await sleep(30)
    expect((await exchange(transport, request(target, key))).connection!.id).toBe(a.connection!.id)
    expect((await exchange(transport, request(target, { connection: { key: 'a', last: true } }))).connection!.id).toBe(a.connection!.id)
    expect((await exchange(transport, request(target, key))).connection!.id).not.toBe(a.connection!.id)
  })

  it('sends a request once more when a reused connection is gone', async () => {
    let answered = 0
    const server = await rawServer((_, socket) => (answered++ % 2 === 0 ? socket.write(ANSWER) : socket.destroy()))
    afterwards(() => server.close())
    const transport = await byUndici()
    afterwards(() => transport.close())
    await exchange(transport, request({ url: server.url }))
    await sleep(30)
    const seen = await exchange(transport, request({ url: server.url }))
    expect(seen.body).toBe('hi')
    expect(seen.connection).toMatchObject({ reused: false, retried: true })
  })

  it('cancels and times out', async () => {
    const server = await rawServer((_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc'))
    afterwards(() => server.close())
    const transport = await byUndici()
    afterwards(() => transport.close())
    const target = { url: server.url }
    expect((await exchange(transport, request(target), (event, sending) => event === 'bytes' && sending!.cancel())).failure).toMatchObject({ category: 'cancelled', afterFirstByte: true })
    expect((await exchange(transport, request(target, { timeoutMs: 50 }))).failure).toMatchObject({ category: 'timeout', afterFirstByte: true })
    expect(server.requests).toHaveLength(2)
  })

  it('speaks HTTP/2 where it is offered', async () => {
    const pems = await generate([{ name: 'commonName', value: 'localhost' }])
    const server = createSecureServer({ key: pems.private, cert: pems.cert }, (incoming, response) => {
      incoming.resume()
      response.setHeader('x-version', incoming.httpVersion)
      response.end('two')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    afterwards(() => server.close())
    const transport = await byUndici({ http2: true })
    afterwards(() => transport.close())
    const target = { url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`), tls: { rejectUnauthorized: false } }
    const seen = await exchange(transport, request(target))
    expect(seen).toMatchObject({ status: 200, body: 'two', failure: undefined })
    expect(seen.headers.join(':')).toContain('x-version:2.0')
    expect(seen.calls).toEqual(expect.arrayContaining(['tcp', 'tls', 'assigned', 'head', 'bytes', 'end']))
  })

  it('goes through the proxy that the environment names', async () => {
    const origin = await rawServer((_, socket) => socket.write(ANSWER))
    afterwards(() => origin.close())
    const asked: string[] = []
    const { connect } = await import('node:net')
    const proxy = createServer().on('connect', (incoming, socket) => {
      asked.push(incoming.url!)
      const through = connect(Number(origin.url.port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        through.pipe(socket).pipe(through)
      })
      for (const end of [socket, through]) end.on('error', () => {})
      afterwards(() => through.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    afterwards(() => proxy.closeAllConnections())
    afterwards(() => proxy.close())
    vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
    vi.stubEnv('no_proxy', '')
    const transport = await byUndici({ environmentProxy: true })
    afterwards(() => transport.close())
    const seen = await exchange(transport, request({ url: new URL('http://model.invalid/') }))
    expect(seen.failure).toBeUndefined()
    expect(seen.body).toBe('hi')
    expect(asked).toEqual(['model.invalid:80'])
  })
})
