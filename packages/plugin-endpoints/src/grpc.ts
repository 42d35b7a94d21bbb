import { defineTransport, type ByteSink, type JsonObject, type OutgoingRequest, type Sending, type Target, type Transport, type TransportContext } from '@aiperf/core'
import type { Channel, Call } from './grpc/call.js'
import type { ModelInferRequest } from './grpc/protocol.js'
import type { requestOf } from './grpc/tensors.js'
import { originKey } from './http1/origin.js'
import type options from './grpc.options.js'

type Context = TransportContext<(typeof options)['_zod']['output']>
type Grpc = typeof import('@grpc/grpc-js')
interface Parts { grpc: Grpc; Call: typeof Call; ModelInferRequest: typeof ModelInferRequest; requestOf: typeof requestOf }

/** Headers that mean nothing to gRPC, or that it states itself. */
const NOT_METADATA = new Set(['accept', 'accept-encoding', 'content-type', 'content-length', 'host', 'connection', 'user-agent', 'transfer-encoding', 'te'])

/**
 * The Open Inference Protocol (KServe v2) over gRPC. Bodies are its JSON form, as the endpoint types `raw` and `template`
 * send them; the model is named in the body, or in the URL (`grpc://host:8001/v2/models/<name>`). A request that asks for
 * a stream uses `ModelStreamInfer`. Stamps are those of the call: what happens on the socket is not seen.
 */
class GrpcTransport implements Transport {
  readonly #parts: Parts
  readonly #now: () => number
  readonly #count: number
  readonly #channels = new Map<string, Channel[]>()
  readonly #keyed = new Map<string, Channel>()
  #next = 0
  #ids = 0
  #closed = false

  constructor(parts: Parts, { options, now }: Context) {
    this.#parts = parts
    this.#now = now
    this.#count = options.channels
  }

  async open(target: Target): Promise<void> {
    const ready = (channel: Channel): Promise<void> => new Promise((resolve) => channel.client.waitForReady(Date.now() + 10_000, () => resolve()))
    await Promise.all(this.#all(target).map(ready))
  }

  send(request: OutgoingRequest, sink: ByteSink): Sending {
    try {
      if (this.#closed) throw new Error('the transport is closed')
      const { headers, streaming } = this.#headersOf(request)
      const body = JSON.parse(Buffer.from(request.body ?? []).toString('utf8')) as JsonObject
      const { ModelInferRequest: type, requestOf: convert, Call: CallClass, grpc } = this.#parts
      const message = Buffer.from(type.encode(type.fromObject(convert(body, modelOf(request.path), headers.get('x-request-id') ?? ''))).finish())
      const metadata = new grpc.Metadata()
      for (const [name, value] of headers) if (!NOT_METADATA.has(name)) metadata.set(name, value)
      const { channel, ended } = this.#channelFor(request)
      return new CallClass({ request, sink, channel, metadata, message, streaming, now: this.#now, ended })
    } catch (error) {
      let told = false
      const fail = (): void => {
        if (!told) sink.fail({ category: this.#closed ? 'cancelled' : 'protocol', code: this.#closed ? 'CLOSED' : 'BAD_BODY', message: (error as Error).message, afterFirstByte: false }, this.#now(), undefined)
        told = true
      }
      queueMicrotask(fail)
      return { cancel: fail }
    }
  }

  close(): Promise<void> {
    this.#closed = true
    for (const channel of [...[...this.#channels.values()].flat(), ...this.#keyed.values()]) channel.client.close()
    return Promise.resolve()
  }

  #headersOf({ fixedHeaders, headers }: OutgoingRequest): { headers: Map<string, string>; streaming: boolean } {
    const all = new Map<string, string>()
    for (const list of [fixedHeaders, headers]) for (let i = 0; i < list.length; i += 2) all.set(list[i]!.toLowerCase(), list[i + 1]!)
    return { headers: all, streaming: all.get('accept') === 'text/event-stream' }
  }

  #channelFor({ target, connection }: OutgoingRequest): { channel: Channel; ended: () => void } {
    if (connection === 'pooled') {
      const all = this.#all(target)
      return { channel: all[this.#next++ % all.length]!, ended: () => {} }
    }
    if (connection === 'never') {
      const channel = this.#dial(target)
      return { channel, ended: () => channel.client.close() }
    }
    const { key, last } = connection
    let channel = this.#keyed.get(key)
    if (channel === undefined) this.#keyed.set(key, (channel = this.#dial(target)))
    if (!last) return { channel, ended: () => {} }
    this.#keyed.delete(key)
    return { channel, ended: () => channel.client.close() }
  }

  #all(target: Target): Channel[] {
    const key = originKey(target)
    let all = this.#channels.get(key)
    if (all === undefined) this.#channels.set(key, (all = Array.from({ length: this.#count }, () => this.#dial(target))))
    return all
  }

  #dial({ url, tls, socketPath }: Target): Channel {
    const { grpc } = this.#parts
    const secure = url.protocol === 'grpcs:' || url.protocol === 'https:'
    const verify = tls?.rejectUnauthorized === false ? { rejectUnauthorized: false, checkServerIdentity: () => undefined } : {}
    const credentials = secure ? grpc.credentials.createSsl(tls?.ca === undefined ? null : Buffer.from(tls.ca), null, null, verify) : grpc.credentials.createInsecure()
    const client = new grpc.Client(socketPath === undefined ? url.host : `unix:${socketPath}`, credentials, {
      // Otherwise all channels of a process would share one connection.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    })
    return { client, id: ++this.#ids, carried: 0 }
  }
}

/** Name and version of the model in a path such as `/v2/models/<name>/versions/<version>/infer`. */
function modelOf(path: string): { name: string; version: string } {
  const [, name = '', version = ''] = /\/models\/([^/?]+)(?:\/versions\/([^/?]+))?/.exec(path) ?? []
  return { name: decodeURIComponent(name), version: decodeURIComponent(version) }
}

export default defineTransport<typeof options>({
  async create(context) {
    const [grpc, { Call }, { ModelInferRequest }, { requestOf }] = await Promise.all([import('@grpc/grpc-js'), import('./grpc/call.js'), import('./grpc/protocol.js'), import('./grpc/tensors.js')])
    return new GrpcTransport({ grpc, Call, ModelInferRequest, requestOf }, context)
  },
})
