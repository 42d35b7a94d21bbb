import type { Target } from '@aiperf/core'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byUndici, exchange, lean, request } from '../test/exchange.js'
import { rawServer, type RawServer } from '../test/raw-server.js'
import { afterwards, ANSWER, sleep } from '../test/set-up.js'

let pems: { private: string; cert: string }
let server: RawServer
beforeAll(async () => {
  pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }, { type: 7, ip: '127.0.0.1' }] }],
  } as never)
  server = await rawServer((_, socket) => socket.write(ANSWER), (on) => createServer({ key: pems.private, cert: pems.cert }, on))
})
afterAll(() => server.close())

describe.each([['http', lean], ['undici', byUndici]] as const)('TLS by %s', (_, create) => {
  const send = async (tls: Target['tls'], host = 'localhost', extra: Parameters<typeof request>[1] = {}) => {
    const transport = await create()
    afterwards(() => transport.close())
    const target: Target = { url: new URL(`https://${host}:${server.url.port}/`), family: 4, ...(tls && { tls }) }
    return { first: await exchange(transport, request(target, extra)), again: () => exchange(transport, request(target)) }
  }

  it('refuses a certificate that nobody vouches for', async () => {
    const { first } = await send(undefined)
    expect(first.failure).toMatchObject({ category: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', afterFirstByte: false })
    expect(first.calls.at(-1)).toBe('fail')
  })

  it('accepts it without verification', async () => {
    expect((await send({ rejectUnauthorized: false })).first.body).toBe('hi')
  })

  it('accepts it from a certificate authority of the user, by name and by address, and reuses the connection', async () => {
    const { first, again } = await send({ rejectUnauthorized: true, ca: pems.cert })
    expect(first.body).toBe('hi')
    expect(first.phases.tls!).toBeGreaterThan(first.phases.tcp!)
    expect(first.phases.assigned!).toBeGreaterThanOrEqual(first.phases.tls!)
    expect(first.phases['first-byte']!).toBeGreaterThan(first.phases.written!)
    // undici takes a connection back a moment after the end of the response.
    await sleep(30)
    const second = await again()
    expect(second.connection!.reused).toBe(true)
    expect(second.phases.tls).toBeUndefined()
    expect((await send({ rejectUnauthorized: true, ca: pems.cert }, '127.0.0.1')).first.body).toBe('hi')
  })

  it('carries large bodies', async () => {
    const { first } = await send({ rejectUnauthorized: false }, 'localhost', { body: Buffer.alloc(1_000_000, 'a') })
    expect(first.body).toBe('hi')
    expect(server.requests.at(-1)!.endsWith('a'.repeat(1_000_000))).toBe(true)
    expect(first.calls).toContain('written')
  })
})
