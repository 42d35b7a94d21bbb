import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createPipeServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exchange, lean, request } from '../test/exchange.js'
import { afterwards, ANSWER, setUp, sleep } from '../test/set-up.js'

describe('connections', () => {
  it('are opened ahead and then used without being opened', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    await transport.open(target, 5)
    await sleep(20)
    expect(server.connections).toBe(5)
    const all = await Promise.all(Array.from({ length: 5 }, () => exchange(transport, request(target))))
    expect(all.map((s) => s.connection!.reused)).toEqual(Array(5).fill(true))
    expect(new Set(all.map((s) => s.connection!.id)).size).toBe(5)
    await transport.open(target, 5)
    await sleep(20)
    expect(server.connections).toBe(5)
  })

  it('that are still on their way are taken by requests', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const opening = transport.open(target, 2)
    const all = await Promise.all([exchange(transport, request(target)), exchange(transport, request(target))])
    await opening
    expect(all.map((s) => s.body)).toEqual(['hi', 'hi'])
    expect(server.connections).toBe(2)
  })

  it('that cannot be opened ahead are no error', async () => {
    const { server, transport, target } = await setUp(() => {})
    await server.close()
    await transport.open(target, 3)
    expect((await exchange(transport, request(target))).failure).toMatchObject({ category: 'connect', code: 'ECONNREFUSED', afterFirstByte: false })
  })

  it('are reused last first, also from within the end of a response', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    await transport.open(target, 3)
    const ids = new Set<number>()
    await new Promise<void>((resolve) => {
      let left = 20
      const sink = {
        phase() {}, head() {}, bytes() {},
        end(_: number, connection: { id: number }) {
          ids.add(connection.id)
          if (--left === 0) resolve()
          else transport.send(request(target), sink)
        },
        fail: (f: unknown) => expect.unreachable(JSON.stringify(f)),
      }
      transport.send(request(target), sink)
    })
    expect(ids.size).toBe(1)
    expect(server.connections).toBe(3)
  })

  it('are shared by targets of one origin', async () => {
    const { server, transport } = await setUp((_, socket) => socket.write(ANSWER))
    await exchange(transport, request({ url: new URL('/a', server.url) }))
    await exchange(transport, request({ url: new URL('/b', server.url) }))
    expect(server.connections).toBe(1)
  })

  it('are never shared under "never", and say so to the server', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    for (let i = 0; i < 3; i++) expect((await exchange(transport, request(target, { connection: 'never' }))).connection!.reused).toBe(false)
    expect(server.connections).toBe(3)
    expect(server.requests.every((r) => r.includes('Connection: close\r\n'))).toBe(true)
    await sleep(20)
    expect(server.open.size).toBe(0)
  })

  it('belong to their key until its last request', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const ids = async (key: string, last = false): Promise<number> => (await exchange(transport, request(target, { connection: { key, last } }))).connection!.id
    const a = await ids('a')
    const b = await ids('b')
    expect(a).not.toBe(b)
    expect(await ids('a')).toBe(a)
    expect(await ids('b')).toBe(b)
    expect(await ids('a', true)).toBe(a)
    expect(await ids('a')).not.toBe(a)
    expect(server.connections).toBe(3)
  })

  it('are not reused beyond what the server promised', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(ANSWER.replace('\r\n\r\n', '\r\nKeep-Alive: timeout=1\r\n\r\n')))
    await exchange(transport, request(target))
    await exchange(transport, request(target))
    expect(server.connections).toBe(1)
    await sleep(550)
    await exchange(transport, request(target))
    expect(server.connections).toBe(2)
  })

  it('are no longer offered to a server that closes after each answer though it promised not to', async () => {
    let polite = false
    const { server, transport, target } = await setUp((_, socket) => {
      socket.write(ANSWER)
      if (!polite) setImmediate(() => socket.end())
    })
    const ask = async (n: number): Promise<number> => {
      let retried = 0
      for (let i = 0; i < n; i++) {
        const seen = await exchange(transport, request(target))
        expect(seen.body).toBe('hi')
        if (seen.connection!.retried) retried++
      }
      return retried
    }
    // A few are lost on reuse and sent again; then each gets a connection of its own, but for a trial now and then.
    expect(await ask(150)).toBeLessThanOrEqual(6)
    polite = true
    const before = server.connections
    await ask(200)
    // A trial shows that the server has changed: from then on connections are kept.
    expect(server.connections - before).toBeLessThan(80)
  })

  it.each([
    ['Connection: close', ANSWER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
    ['HTTP/1.0', ANSWER.replace('1.1', '1.0')],
    ['bytes behind its end', `${ANSWER}!`],
  ])('are dropped after an answer with %s', async (_, answer) => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(answer))
    for (let i = 0; i < 3; i++) expect((await exchange(transport, request(target))).body).toBe('hi')
    expect(server.connections).toBe(3)
  })

  it('go through a Unix socket', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'http-'))
    const socketPath = process.platform === 'win32' ? String.raw`\\.\pipe\aiperf-http-test` : join(dir, 's')
    const server = createPipeServer((socket) => socket.on('data', () => socket.write(ANSWER)))
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    const transport = await lean()
    afterwards(() => rmSync(dir, { recursive: true, force: true }))
    afterwards(() => server.close())
    afterwards(() => transport.close())
    expect((await exchange(transport, request({ url: new URL('http://localhost/'), socketPath }))).body).toBe('hi')
    const missing = await exchange(transport, request({ url: new URL('http://localhost/'), socketPath: join(dir, 'none') }))
    expect(missing.failure).toMatchObject({ category: 'connect', code: 'ENOENT' })
  })

  it('find the address that answers when a name has several', async () => {
    const { transport, server } = await setUp((_, socket) => socket.write(ANSWER))
    const seen = await exchange(transport, request({ url: new URL(`http://localhost:${server.url.port}/`), family: 0 }))
    expect(seen.body).toBe('hi')
    expect(seen.connection!.remoteAddress).toBe('127.0.0.1')
  })
})
