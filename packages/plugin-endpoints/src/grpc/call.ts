import type { ByteSink, ConnectionInfo, Json, OutgoingRequest, Sending } from '@aiperf/core'
import type { Client, ClientDuplexStream, ClientUnaryCall, Metadata, StatusObject } from '@grpc/grpc-js'
import { ModelInferResponse, ModelStreamInferResponse, PLAIN, STREAM, UNARY } from './protocol.js'
import { failureOf, httpStatusOf } from './status.js'
import { responseOf } from './tensors.js'

/** A connection to a server, and how many requests it has carried. */
export interface Channel {
  client: Client
  id: number
  carried: number
}

export interface CallSettings {
  request: OutgoingRequest
  sink: ByteSink
  channel: Channel
  metadata: Metadata
  /** The encoded request message. */
  message: Buffer
  streaming: boolean
  now(): number
  ended(): void
}

const asIs = (bytes: Buffer): Buffer => bytes

/**
 * One call. A unary answer reaches the sink as a JSON body, each message of a stream as a line of JSON. A status other
 * than OK becomes the HTTP status that means the same, with the server's words as its body.
 */
export class Call implements Sending {
  readonly #settings: CallSettings
  readonly #reused: boolean
  readonly #call: ClientUnaryCall | ClientDuplexStream<Buffer, Buffer>
  #begun = false
  #over = false

  constructor(settings: CallSettings) {
    const { request, sink, channel, metadata, message, streaming, now } = settings
    this.#settings = settings
    this.#reused = channel.carried++ > 0
    sink.phase('assigned', now())
    const options = request.timeoutMs > 0 ? { deadline: Date.now() + request.timeoutMs } : {}
    if (streaming) {
      const call = channel.client.makeBidiStreamRequest(STREAM, asIs, asIs, metadata, options)
      call.on('data', (bytes: Buffer) => this.#streamed(bytes))
      call.on('error', () => {})
      call.write(message, () => this.#written())
      call.end()
      this.#call = call
    } else {
      this.#call = channel.client.makeUnaryRequest(UNARY, asIs, asIs, message, metadata, options, (_error, bytes) => {
        if (bytes !== undefined) this.#take(toJson(ModelInferResponse.decode(bytes)), '')
      })
      // The client does not tell when it has written; it does so at once.
      queueMicrotask(() => this.#written())
    }
    this.#call.on('metadata', () => this.#begin(streaming ? 'application/x-ndjson' : 'application/json'))
    this.#call.on('status', (status: StatusObject) => this.#end(status))
  }

  cancel(): void {
    if (this.#over) return
    this.#finish()
    this.#call.cancel()
    this.#settings.sink.fail({ category: 'cancelled', code: 'CANCELLED', message: 'the request was cancelled', afterFirstByte: this.#begun }, this.#settings.now(), this.#info())
  }

  #written(): void {
    if (!this.#over) this.#settings.sink.phase('written', this.#settings.now())
  }

  #begin(contentType: string, status = 200, more: readonly string[] = []): void {
    if (this.#begun || this.#over) return
    this.#begun = true
    const ns = this.#settings.now()
    this.#settings.sink.phase('first-byte', ns)
    if (!this.#over) this.#settings.sink.head(status, ['content-type', contentType, ...more], ns)
  }

  #streamed(bytes: Buffer): void {
    const { error_message: error, infer_response: response } = ModelStreamInferResponse.toObject(ModelStreamInferResponse.decode(bytes), PLAIN) as { error_message?: string; infer_response?: Record<string, unknown> }
    if (error) this.#take({ error }, '\n')
    // Some servers close a stream with an empty response.
    else if (response !== undefined && ((response['outputs'] as unknown[] | undefined)?.length ?? 0) > 0) this.#take(responseOf(response), '\n')
  }

  #take(body: Json, end: string): void {
    if (this.#over) return
    this.#begin(end === '' ? 'application/json' : 'application/x-ndjson')
    if (!this.#over) this.#settings.sink.bytes(Buffer.from(JSON.stringify(body) + end), this.#settings.now())
  }

  #end({ code, details }: StatusObject): void {
    if (this.#over) return
    const { sink, now } = this.#settings
    const failure = failureOf(code, details, this.#begun)
    if (failure !== undefined) {
      this.#finish()
      return sink.fail(failure, now(), this.#info())
    }
    if (code !== 0) {
      const status = httpStatusOf(code)
      if (this.#begun) this.#take({ error: { message: details, code: status } }, this.#settings.streaming ? '\n' : '')
      else {
        this.#begin('text/plain', status, ['grpc-status', String(code)])
        if (!this.#over) sink.bytes(Buffer.from(details), now())
      }
    }
    if (this.#over) return
    this.#finish()
    sink.end(now(), this.#info())
  }

  #finish(): void {
    this.#over = true
    this.#settings.ended()
  }

  #info(): ConnectionInfo {
    return { id: this.#settings.channel.id, reused: this.#reused, retried: false, bytesSent: this.#settings.message.length }
  }
}

function toJson(message: Parameters<typeof ModelInferResponse.toObject>[0]): Json {
  return responseOf(ModelInferResponse.toObject(message, PLAIN))
}
