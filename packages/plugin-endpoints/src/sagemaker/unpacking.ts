import type { ByteSink, ConnectionInfo, Phase, Sending, TransportFailure } from '@aiperf/core'
import { EventStreamReader } from './event-stream.js'

const EVENT_STREAM = 'application/vnd.amazon.eventstream'

/** Stands between a transport and a sink: response streams reach the sink unpacked, with the content type of the model. */
export class Unpacking implements ByteSink, Sending {
  readonly #sink: ByteSink
  readonly #now: () => number
  #sending: Sending | undefined
  #reader: EventStreamReader | undefined
  #ended = false

  constructor(sink: ByteSink, now: () => number) {
    this.#sink = sink
    this.#now = now
  }

  /** The request is on its way; unless it was cancelled meanwhile. */
  sent(send: () => Sending): void {
    if (!this.#ended) this.#sending = send()
  }

  cancel(): void {
    if (this.#ended) return
    if (this.#sending !== undefined) this.#sending.cancel()
    else this.fail({ category: 'cancelled', code: 'CANCELLED', message: 'the request was cancelled', afterFirstByte: false }, this.#now(), undefined)
  }

  phase(phase: Phase, ns: number): void {
    this.#sink.phase(phase, ns)
  }

  head(status: number, headers: readonly string[], ns: number): void {
    let model = 'application/octet-stream'
    let at = -1
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!.toLowerCase()
      if (name === 'content-type') at = i + 1
      else if (name === 'x-amzn-sagemaker-content-type') model = headers[i + 1]!
    }
    if (at < 0 || headers[at]!.toLowerCase().split(';', 1)[0]!.trim() !== EVENT_STREAM) return this.#sink.head(status, headers, ns)
    this.#reader = new EventStreamReader()
    // The container's own word; its name of JSON lines is one of many.
    this.#sink.head(status, headers.with(at, model.startsWith('application/jsonlines') ? 'application/x-ndjson' : model), ns)
  }

  bytes(view: Uint8Array, ns: number): void {
    if (this.#reader === undefined) return this.#sink.bytes(view, ns)
    try {
      const failure = this.#reader.push(view, (payload) => {
        if (!this.#ended && payload.length > 0) this.#sink.bytes(payload, ns)
      })
      if (failure !== undefined) this.#abort(failure.code, failure.message, ns)
    } catch (error) {
      this.#abort('EVENT_STREAM', `the response stream cannot be read: ${(error as Error).message}`, ns)
    }
  }

  #abort(code: string, message: string, ns: number): void {
    if (this.#ended) return
    this.#ended = true
    // The rest of the stream is of no use; what the transport says of the end is not passed on.
    this.#sending?.cancel()
    this.#sink.fail({ category: 'protocol', code, message, afterFirstByte: true }, ns, undefined)
  }

  end(ns: number, connection: ConnectionInfo): void {
    if (this.#ended) return
    if (this.#reader?.unfinished) return this.#abort('EVENT_STREAM', 'the response stream ended within a message', ns)
    this.#ended = true
    this.#sink.end(ns, connection)
  }

  fail(failure: TransportFailure, ns: number, connection: ConnectionInfo | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#sink.fail(failure, ns, connection)
  }
}
