import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ConnectionInfo, OutgoingRequest, Phase, Sending, Target, Transport, TransportFailure } from '@aiperf/core'
import type { EchoServer, TransportCase } from '../cases.js'
import { ensure, group, shown, sleep, within, type Group } from '../checks.js'
import type { Subject } from '../subject.js'

const WAIT_MS = 5000
const PHASES: readonly Phase[] = ['dns', 'tcp', 'tls', 'assigned', 'written', 'first-byte']

/** Everything a transport told of one request. */
interface Told {
  phases: Partial<Record<Phase, number>>
  status: number | undefined
  body: Buffer
  /** Times of the callbacks in order. */
  times: number[]
  ended: number
  failure: TransportFailure | undefined
  connection: ConnectionInfo | undefined
}

export function transportSuite(subject: Subject<'transport'>, given: TransportCase): Group[] {
  const zero = process.hrtime.bigint()
  const now = () => Number(process.hrtime.bigint() - zero)
  const plainHttp = Array.isArray(subject.meta['schemes']) && subject.meta['schemes'].includes('http') && given.server === undefined

  const at = (target: Target): Target => (given.path === undefined ? target : { ...target, url: new URL(given.path, target.url) })
  const open = async (): Promise<Transport> => subject.create({ options: subject.options(given.options), now })
  const close = (transport: Transport) => within(WAIT_MS, 'close', transport.close())
  const request = (target: Target, change: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
    target, method: 'POST', path: `${target.url.pathname}${target.url.search}`, fixedHeaders: ['Content-Type', 'application/json', 'Accept', 'application/json'], headers: [], body: Buffer.from('{"hello":"world"}'), connection: 'pooled', timeoutMs: WAIT_MS, ...change,
  })
  const exchange = (transport: Transport, outgoing: OutgoingRequest, started: (sending: Sending) => void = () => {}): Promise<Told> =>
    within(
      WAIT_MS + 2000,
      'the end of a request',
      new Promise<Told>((resolve, reject) => {
        const told: Told = { phases: {}, status: undefined, body: Buffer.alloc(0), times: [], ended: 0, failure: undefined, connection: undefined }
        const note = (what: string, ns: number) => {
          if (told.ended > 0) return void reject(new Error(`${what} was told after the end of the request`))
          if (!Number.isFinite(ns) || ns > now() + 1e6 || ns < 0) return void reject(new Error(`${what} has the time ${ns}, now is ${now()}: take times from context.now()`))
          told.times.push(ns)
        }
        const over = () => {
          told.ended++
          // A little later, so that a second end is seen.
          setTimeout(() => resolve(told), 20)
        }
        const sending = transport.send(outgoing, {
          phase: (phase, ns) => void (note(`the phase ${phase}`, ns), (told.phases[phase] = ns)),
          head: (status, _headers, ns) => void (note('the head', ns), (told.status = status)),
          bytes: (view, ns) => void (note('bytes', ns), (told.body = Buffer.concat([told.body, view]))),
          end: (ns, connection) => void (note('end', ns), (told.connection = { ...connection }), over()),
          fail: (failure, ns, connection) => void (note('fail', ns), (told.failure = failure), (told.connection = connection && { ...connection }), over()),
        })
        started(sending)
      }),
    )
  /** A transport and a server for one check. */
  const meet = (server: () => Promise<EchoServer>, check: (transport: Transport, peer: EchoServer) => Promise<void>) => async () => {
    const peer = await server()
    const transport = await open()
    try {
      await check(transport, given.server ? peer : { ...peer, target: at(peer.target) })
    } finally {
      await close(transport)
      await peer.close()
    }
  }
  const succeeded = (told: Told) => ensure(!told.failure, () => `the request failed: ${told.failure!.category} ${told.failure!.code}: ${told.failure!.message}`)
  const failed = (told: Told, categories: readonly TransportFailure['category'][]) =>
    ensure(told.failure && categories.includes(told.failure.category), () => `expected a failure of the category ${categories.join(' or ')}, got ${told.failure ? `${told.failure.category} (${told.failure.code})` : `status ${told.status}`}`)

  const echo = given.server ?? (plainHttp ? echoServer : undefined)
  const groups: Group[] = []
  if (echo)
    groups.push(
      group('exchanges', {
        'a request is answered, with the phases in order': meet(echo, async (transport, { target, request: change }) => {
          await transport.open(target, 1)
          const told = await exchange(transport, request(target, change))
          succeeded(told)
          ensure(told.status !== undefined && told.body.length > 0, `status ${told.status}, ${told.body.length} bytes of body`)
          ensure(told.phases['written'] !== undefined, 'the phase "written" was not told')
          const seen = PHASES.filter((phase) => told.phases[phase] !== undefined)
          seen.forEach((phase, i) => i > 0 && phase !== 'written' && ensure(told.phases[phase]! >= told.phases[seen[i - 1]!]! || seen[i - 1] === 'written', `the phase ${phase} is before ${seen[i - 1]}`))
          ensure(told.connection && told.connection.bytesSent > 0, 'end was told without the connection and the bytes that were sent')
        }),
        'many at once do not get in each other\'s way': meet(echo, async (transport, { target, request: change }) => {
          const bodies = Array.from({ length: 30 }, (_, i) => JSON.stringify({ number: i, filler: 'x'.repeat(i * 97) }))
          const all = await Promise.all(bodies.map((body) => exchange(transport, request(target, { ...change, body: change?.body ?? Buffer.from(body) }))))
          all.forEach(succeeded)
          if (!change?.body) all.forEach((told, i) => ensure(told.body.toString().includes(`"number":${i},`), `request ${i} got the answer ${shown(told.body.toString())}`))
        }),
        'a request that was cancelled fails so, once': meet(echo, async (transport, { target, request: change }) => {
          const told = await exchange(transport, request(target, change), (sending) => sending.cancel())
          failed(told, ['cancelled'])
          succeeded(await exchange(transport, request(target, change)))
        }),
      }),
    )
  if (plainHttp)
    groups.push(
      group('HTTP', {
        'a body that comes in pieces is told in pieces, and whole': meet(() => server((socket) => pieces(socket, ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'], 30)), async (transport, { target }) => {
          const told = await exchange(transport, request(target))
          succeeded(told)
          ensure(told.body.toString() === 'data: 1\n\ndata: 2\n\ndata: 3\n\n', `the body came as ${shown(told.body.toString())}`)
          const [first = 0, last = 0] = [told.phases['first-byte'], told.times.at(-1)]
          ensure(last - first > 30e6, 'the pieces came 60 ms apart and were told within 30 ms: bytes were held back')
        }),
        'a status of the server is no failure of the transport': meet(() => server((socket) => void socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy')), async (transport, { target }) => {
          const told = await exchange(transport, request(target))
          succeeded(told)
          ensure(told.status === 503 && told.body.toString() === 'busy', `status ${told.status}, body ${shown(told.body.toString())}`)
        }),
        'a server that is not there': async () => {
          const peer = await server(() => {})
          await peer.close()
          const transport = await open()
          failed(await exchange(transport, request(at(peer.target))), ['connect'])
          await close(transport)
        },
        'a connection that is cut within the body': meet(() => server((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf', () => socket.resetAndDestroy())), async (transport, { target }) => {
          const told = await exchange(transport, request(target))
          failed(told, ['reset', 'protocol'])
          ensure(told.failure!.afterFirstByte, 'bytes of the response were seen: afterFirstByte must be true')
        }),
        'a server that does not answer': meet(() => server(() => {}), async (transport, { target }) => {
          const before = performance.now()
          failed(await exchange(transport, request(target, { timeoutMs: 200 })), ['timeout'])
          ensure(performance.now() - before < 3000, `timeoutMs was 200, the failure came after ${Math.round(performance.now() - before)} ms`)
        }),
        'cancelling closes the connection': meet(() => server(() => {}), async (transport, peer) => {
          const told = await exchange(transport, request(peer.target), (sending) => setTimeout(() => sending.cancel(), 50))
          failed(told, ['cancelled'])
          for (let i = 0; i < 100 && (peer as RawServer).asked.size > 0; i++) await sleep(10)
          ensure((peer as RawServer).asked.size === 0, 'the server still has the connection of the cancelled request')
        }),
      }),
    )
  groups.push(
    group('disposal', {
      'after close nothing is sent any more': async () => {
        const transport = await open()
        await close(transport)
        let outcome: string
        try {
          const told = await exchange(transport, request(at({ url: new URL('http://127.0.0.1:9/') }), { timeoutMs: 500 }))
          outcome = told.failure ? 'refused' : 'sent'
        } catch (error) {
          outcome = (error as Error).name === 'AssertionError' ? 'hangs' : 'refused'
        }
        ensure(outcome === 'refused', `send after close ${outcome}: it must fail`)
      },
      'closing twice is closing': async () => {
        const transport = await open()
        await close(transport)
        await close(transport)
      },
    }),
  )
  return groups
}

interface RawServer extends EchoServer {
  /** Connections on which a request came. */
  asked: Set<Socket>
}

/** A server that does as told with each request, once it has come whole. */
async function server(answer: (socket: Socket, body: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const asked = new Set<Socket>()
  const listening: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => (sockets.delete(socket), asked.delete(socket)))
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (data) => {
      asked.add(socket)
      text += data.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = Number(text.slice(0, end).match(/content-length: *(\d+)/i)?.[1] ?? 0)
        if (text.length < end + 4 + length) return
        const body = text.slice(end + 4, end + 4 + length)
        text = text.slice(end + 4 + length)
        answer(socket, body)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    asked,
    target: { url: new URL(`http://127.0.0.1:${port}/v1/echo`) },
    async close() {
      for (const socket of sockets) socket.destroy()
      if (listening.listening) await new Promise((resolve) => listening.close(resolve))
    },
  }
}

const echoServer = (): Promise<RawServer> => server((socket, body) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`, 'latin1'))

async function pieces(socket: Socket, parts: readonly string[], gapMs: number): Promise<void> {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (const part of parts) {
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    await sleep(gapMs)
  }
  socket.write('0\r\n\r\n')
}
