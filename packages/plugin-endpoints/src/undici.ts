import { defineTransport, type ByteSink, type OutgoingRequest, type Sending, type Target, type Transport, type TransportContext } from '@aiperf/core'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Client, Dispatcher } from 'undici'
import { Deadlines } from './http1/deadlines.js'
import { originKey } from './http1/origin.js'
import { MAX_HEAD_BYTES } from './http1/parser.js'
import { Call, type Caller } from './undici/call.js'
import { Connections } from './undici/connections.js'
import type options from './undici.options.js'

type Context = TransportContext<(typeof options)['_zod']['output']>
type Undici = typeof import('undici')

const CREATED = channel('undici:request:create')
const SENDING = channel('undici:client:sendHeaders')
const SENT = channel('undici:request:bodySent')

/**
 * HTTP by undici. Speaks what the lean transport does not: HTTP/2 and proxies. Stamps come from undici's diagnostics
 * channels; name resolution and TCP connect are one phase, connections are not opened ahead. A connection carries one
 * request at a time with HTTP/2 too, so that no request waits behind another one's bytes.
 */
class UndiciTransport implements Transport, Caller {
  readonly #undici: Undici
  readonly #options: Context['options']
  readonly #pools = new Map<string, Dispatcher>()
  /** One connection per session under `sticky` reuse. */
  readonly #keyed = new Map<string, Client>()
  readonly #calls = new WeakMap<object, Call>()
  readonly connections: Connections
  readonly deadlines: Deadlines
  readonly now: () => number
  #dispatching: Call | undefined
  #closed = false

  constructor(undici: Undici, { options, now }: Context) {
    this.#undici = undici
    this.#options = options
    this.now = now
    this.connections = new Connections(now)
    this.deadlines = new Deadlines(now)
    CREATED.subscribe(this.#created)
    SENDING.subscribe(this.#sending)
    SENT.subscribe(this.#sent)
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  send(request: OutgoingRequest, sink: ByteSink): Sending {
    const call = new Call(request, sink, this)
    if (this.#closed) queueMicrotask(() => call.abort('cancelled', 'CLOSED', 'the transport is closed'))
    else this.dispatch(call, false)
    return call
  }

  dispatch(call: Call, fresh: boolean): void {
    const { request } = call
    const dispatcher = this.#dispatcher(request, fresh)
    this.#dispatching = call
    try {
      dispatcher.dispatch(
        {
          origin: request.target.url.origin,
          path: request.path,
          method: request.method as Dispatcher.HttpMethod,
          headers: headersOf(request),
          body: request.body === undefined ? null : Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength),
          headersTimeout: 0,
          bodyTimeout: 0,
          reset: request.connection === 'never',
        },
        call,
      )
    } catch (error) {
      queueMicrotask(() => call.onResponseError(undefined, error as Error))
    } finally {
      this.#dispatching = undefined
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    CREATED.unsubscribe(this.#created)
    SENDING.unsubscribe(this.#sending)
    SENT.unsubscribe(this.#sent)
    const all = [...this.#pools.values(), ...this.#keyed.values()]
    for (const dispatcher of all) void dispatcher.close()
  }

  #dispatcher(request: OutgoingRequest, fresh: boolean): Dispatcher {
    const { connection, target } = request
    if (typeof connection !== 'string') {
      let client = this.#keyed.get(connection.key)
      if (client !== undefined && fresh) void client.close()
      if (client === undefined || fresh) this.#keyed.set(connection.key, (client = this.#client(target)))
      if (connection.last) {
        this.#keyed.delete(connection.key)
        // Closes when the request given next has ended.
        queueMicrotask(() => void client.close())
      }
      return client
    }
    if (fresh) {
      const client = this.#client(target)
      queueMicrotask(() => void client.close())
      return client
    }
    const origin = originKey(target)
    let dispatcher = this.#pools.get(origin)
    if (dispatcher === undefined) this.#pools.set(origin, (dispatcher = this.#pool(target)))
    return dispatcher
  }

  #client(target: Target): Client {
    return new this.#undici.Client(target.url.origin, this.#clientOptions(target))
  }

  #pool(target: Target): Dispatcher {
    const options = { ...this.#clientOptions(target), connections: null }
    const proxied = process.env['http_proxy'] ?? process.env['HTTP_PROXY'] ?? process.env['https_proxy'] ?? process.env['HTTPS_PROXY']
    if (this.#options.environmentProxy && proxied && target.socketPath === undefined)
      return new this.#undici.EnvHttpProxyAgent({ ...options, requestTls: this.#tls(target) })
    return new this.#undici.Pool(target.url.origin, options)
  }

  #clientOptions(target: Target) {
    const allowH2 = this.#options.http2
    return {
      allowH2,
      pipelining: 1,
      keepAliveTimeout: this.#options.keepAliveSeconds * 1000,
      keepAliveMaxTimeout: this.#options.keepAliveSeconds * 1000,
      maxHeaderSize: MAX_HEAD_BYTES,
      connect: this.connections.connector(this.#undici.buildConnector, {
        ...this.#tls(target),
        allowH2,
        timeout: 0,
        ...(target.family ? { family: target.family } : {}),
        ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
      }),
    }
  }

  #tls(target: Target) {
    return { rejectUnauthorized: target.tls?.rejectUnauthorized !== false, ...(target.tls?.ca === undefined ? {} : { ca: target.tls.ca }) }
  }

  // The request object is made while `dispatch` runs; later events name it.
  readonly #created = (message: unknown): void => {
    const { request } = message as { request: { method?: string } }
    if (this.#dispatching === undefined || request.method === 'CONNECT') return
    this.#calls.set(request, this.#dispatching)
    this.#dispatching = undefined
  }
  readonly #sending = (message: unknown): void => {
    const { request, socket } = message as { request: object; socket: Socket }
    this.#calls.get(request)?.assigned(socket)
  }
  readonly #sent = (message: unknown): void => {
    this.#calls.get((message as { request: object }).request)?.written()
  }
}

/** Later headers replace earlier ones of the same name; undici states the length and the connection itself. */
function headersOf({ fixedHeaders, headers }: OutgoingRequest): Record<string, string> {
  const merged = new Map<string, [string, string]>()
  for (const list of [fixedHeaders, headers])
    for (let i = 0; i < list.length; i += 2) {
      const lower = list[i]!.toLowerCase()
      if (lower !== 'content-length' && lower !== 'connection') merged.set(lower, [list[i]!, list[i + 1]!])
    }
  return Object.fromEntries(merged.values())
}

export default defineTransport<typeof options>({
  create: async (context) => new UndiciTransport(await import('undici'), context),
})
