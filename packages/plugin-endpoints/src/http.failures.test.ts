import { describe, expect, it } from 'vitest'
import { exchange, request } from '../test/exchange.js'
import { ANSWER, CHUNKED, setUp, sleep } from '../test/set-up.js'

describe('a connection that the server closes', () => {
  it('behind its promise loses no request of 300', async () => {
    const { server, transport, target } = await setUp((_, socket) => {
      socket.write(ANSWER)
      // Not `end` in the same breath: the client must be able to write before it hears of it.
      setImmediate(() => socket.end())
    })
    let retried = 0
    for (let i = 0; i < 300; i++) {
      const seen = await exchange(transport, request(target))
      expect(seen.failure).toBeUndefined()
      expect(seen.body).toBe('hi')
      if (seen.connection!.retried) retried++
    }
    expect(retried).toBeLessThan(300)
    // Each connection answered exactly once.
    expect(server.connections).toBe(300)
  })

  it('instead of answering is tried once more, on a fresh one, and said so', async () => {
    let answered = 0
    const { server, transport, target } = await setUp((_, socket) => (answered++ % 2 === 0 ? socket.write(ANSWER) : socket.destroy()))
    await exchange(transport, request(target))
    const seen = await exchange(transport, request(target))
    expect(seen.body).toBe('hi')
    expect(seen.connection).toMatchObject({ reused: false, retried: true })
    expect(server.requests).toHaveLength(3)
  })

  it('is not tried again when it was fresh', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.destroy())
    const seen = await exchange(transport, request(target))
    expect(seen.failure).toMatchObject({ category: 'reset', afterFirstByte: false })
    expect(server.requests).toHaveLength(1)
  })

  it('is tried again once, not twice', async () => {
    let answered = 0
    const { server, transport, target } = await setUp((_, socket) => (answered++ === 0 ? socket.write(ANSWER) : socket.destroy()))
    await exchange(transport, request(target))
    const seen = await exchange(transport, request(target))
    expect(seen.failure?.category).toBe('reset')
    expect(seen.connection?.retried).toBe(true)
    expect(server.requests).toHaveLength(3)
  })

  it('after the first byte is never tried again', async () => {
    let answered = 0
    const { server, transport, target } = await setUp((_, socket) => (answered++ === 0 ? socket.write(ANSWER) : socket.end('H')))
    await exchange(transport, request(target))
    const seen = await exchange(transport, request(target))
    expect(seen.failure).toMatchObject({ category: 'reset', afterFirstByte: true })
    expect(server.requests).toHaveLength(2)
  })

  it('while idle is forgotten', async () => {
    const { server, transport, target } = await setUp((_, socket) => {
      socket.write(ANSWER)
      setTimeout(() => socket.end(), 5)
    })
    await exchange(transport, request(target))
    await sleep(40)
    const seen = await exchange(transport, request(target))
    expect(seen.connection).toMatchObject({ reused: false, retried: false })
    expect(server.connections).toBe(2)
  })

  it('in the middle of a body is a failure that keeps what came', async () => {
    const { transport, target } = await setUp((_, socket) => socket.end(`${CHUNKED}3\r\nabc\r\n`))
    const seen = await exchange(transport, request(target))
    expect(seen).toMatchObject({ status: 200, body: 'abc', failure: { category: 'reset', afterFirstByte: true } })
  })

  it('by a reset in the middle of a body of open length is a failure', async () => {
    const { transport, target } = await setUp((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nabc')
      setTimeout(() => socket.resetAndDestroy(), 30)
    })
    expect(await exchange(transport, request(target))).toMatchObject({ body: 'abc', failure: { category: 'reset', code: 'ECONNRESET' } })
  })

  it('at the end of a body of open length is the end of the body', async () => {
    const { transport, target } = await setUp((_, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nabc'))
    expect(await exchange(transport, request(target))).toMatchObject({ body: 'abc', failure: undefined })
  })
})

describe('cancelling', () => {
  it.each(['assigned', 'written', 'first-byte', 'head', 'bytes'])('at %s fails the request as cancelled and drops the connection', async (when) => {
    const { server, transport, target } = await setUp((_, socket) => socket.write(`${CHUNKED}3\r\nabc\r\n`))
    const seen = await exchange(transport, request(target), (event, sending) => {
      if (event === when) sending!.cancel()
    })
    expect(seen.failure).toMatchObject({ category: 'cancelled', afterFirstByte: ['first-byte', 'head', 'bytes'].includes(when) })
    expect(seen.calls.slice(-2)).toEqual([when, 'fail'])
    await sleep(20)
    expect(server.open.size).toBe(0)
  })

  it('before the connection is there works too', async () => {
    const { server, transport, target } = await setUp(() => {})
    let cancel = (): void => {}
    const seen = exchange({ ...transport, send: (r, s) => { const sending = transport.send(r, s); cancel = () => sending.cancel(); return sending } }, request(target))
    cancel()
    expect((await seen).failure).toMatchObject({ category: 'cancelled', afterFirstByte: false })
    await sleep(20)
    expect(server.requests).toHaveLength(0)
  })

  it('after the end changes nothing', async () => {
    const { transport, target } = await setUp((_, socket) => socket.write(ANSWER))
    const seen = await exchange(transport, request(target), (event, sending) => {
      if (event === 'end') sending!.cancel()
    })
    expect(seen.failure).toBeUndefined()
    expect((await exchange(transport, request(target))).connection!.reused).toBe(true)
  })
})

describe('a time limit', () => {
  it('covers the whole request and is kept for each one', async () => {
    const { transport, target } = await setUp(() => {})
    const limits = [150, 40, 90, 40]
    const started = performance.now()
    const took = await Promise.all(
      limits.map(async (timeoutMs) => {
        const seen = await exchange(transport, request(target, { timeoutMs }))
        expect(seen.failure).toMatchObject({ category: 'timeout', code: 'TIMEOUT', afterFirstByte: false })
        return performance.now() - started
      }),
    )
    limits.forEach((limit, i) => expect(took[i]!).toBeGreaterThanOrEqual(limit - 1))
    expect(took[1]!).toBeLessThan(took[0]!)
  })

  it('is not extended by bytes that come', async () => {
    const { transport, target } = await setUp((_, socket) => {
      socket.write(CHUNKED)
      const timer = setInterval(() => socket.write('3\r\n:x\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const seen = await exchange(transport, request(target, { timeoutMs: 100 }))
    expect(seen.failure).toMatchObject({ category: 'timeout', afterFirstByte: true })
    expect(seen.reads).toBeGreaterThan(2)
  })

  it('of 0 is none, and one that was met fires never', async () => {
    const { transport, target } = await setUp((_, socket) => setTimeout(() => socket.write(ANSWER), 30))
    expect((await exchange(transport, request(target, { timeoutMs: 0 }))).body).toBe('hi')
    expect((await exchange(transport, request(target, { timeoutMs: 400 }))).body).toBe('hi')
    await sleep(450)
    expect((await exchange(transport, request(target, { timeoutMs: 0 }))).connection!.reused).toBe(true)
  })

  it('holds while connecting', async () => {
    const { transport } = await setUp(() => {})
    // TEST-NET-1 (RFC 5737): nothing answers there; where it is refused at once, that is another failure.
    const seen = await exchange(transport, request({ url: new URL('http://192.0.2.1/') }, { timeoutMs: 100 }))
    expect(['timeout', 'connect']).toContain(seen.failure?.category)
  })
})

describe('failures', () => {
  it('of the name are told apart', async () => {
    const { transport } = await setUp(() => {})
    const seen = await exchange(transport, request({ url: new URL('http://nowhere.invalid/') }))
    expect(seen.failure).toMatchObject({ category: 'dns', afterFirstByte: false })
    expect(seen.failure!.message).toContain('nowhere.invalid')
  })

  it('of the protocol end the request and the connection', async () => {
    const { server, transport, target } = await setUp((_, socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'))
    const seen = await exchange(transport, request(target))
    expect(seen.failure).toMatchObject({ category: 'protocol', code: 'BAD_STATUS_LINE', afterFirstByte: true })
    await sleep(20)
    expect(server.open.size).toBe(0)
  })

  it('keep what came before them in the same read', async () => {
    const { transport, target } = await setUp((_, socket) => socket.write(`${CHUNKED}3\r\nabc\r\nnonsense`))
    expect(await exchange(transport, request(target))).toMatchObject({ status: 200, body: 'abc', failure: { category: 'protocol', code: 'BAD_CHUNK' } })
  })
})

describe('a closed transport', () => {
  it('sends no more, lets what is under way end, and keeps no connection', async () => {
    const { server, transport, target } = await setUp((_, socket) => setTimeout(() => socket.write(ANSWER), 40))
    await transport.open(target, 3)
    const under = exchange(transport, request(target))
    await transport.close()
    expect((await exchange(transport, request(target))).failure).toMatchObject({ category: 'cancelled', code: 'CLOSED' })
    expect((await under).body).toBe('hi')
    await sleep(20)
    expect(server.open.size).toBe(0)
  })
})
