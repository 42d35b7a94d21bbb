import type { ByteSink, ConnectionInfo, Json, OutgoingRequest, Phase, Polling, Sending, Transport, TransportFailure } from '@aiperf/core'

/**
 * A job that is submitted and then asked for until it is done: one request of the load, with several exchanges on the
 * wire. The submission and the final answer reach the record; what lay between does not. The time limit of the request
 * counts for the polling anew.
 */
export class PolledSending implements ByteSink, Sending {
  readonly #transport: Transport
  readonly #request: OutgoingRequest
  readonly #sink: ByteSink
  readonly #polling: Polling
  readonly #now: () => number
  #stage: 'submit' | 'poll' | 'download' = 'submit'
  #sending: Sending | undefined
  #timer: NodeJS.Timeout | undefined
  #deadlineNs = Infinity
  #ended = false
  #status = 0
  #headers: readonly string[] = []
  #headNs = 0
  #body: Buffer[] = []
  #connection: ConnectionInfo | undefined

  constructor(transport: Transport, request: OutgoingRequest, sink: ByteSink, polling: Polling, now: () => number) {
    this.#transport = transport
    this.#request = request
    this.#sink = sink
    this.#polling = polling
    this.#now = now
  }

  start(): this {
    this.#sending = this.#transport.send(this.#request, this)
    return this
  }

  cancel(): void {
    if (this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#fail('cancelled', 'CANCELLED', 'the request was cancelled')
    } else this.#sending?.cancel()
  }

  phase(phase: Phase, ns: number): void {
    if (this.#stage === 'submit') this.#sink.phase(phase, ns)
  }

  head(status: number, headers: readonly string[], ns: number): void {
    this.#status = status
    this.#headers = headers
    this.#headNs = ns
    this.#body = []
    if (this.#stage === 'submit') this.#sink.head(status, headers, ns)
  }

  bytes(view: Uint8Array, ns: number): void {
    if (this.#stage === 'submit') this.#sink.bytes(view, ns)
    if (this.#stage !== 'download') this.#body.push(Buffer.from(view))
  }

  end(ns: number, connection: ConnectionInfo): void {
    const ok = this.#status >= 200 && this.#status < 300
    if (this.#stage === 'submit') {
      this.#connection = { ...connection }
      if (!ok) return this.#finish(ns)
      this.#deadlineNs = this.#request.timeoutMs > 0 ? ns + this.#request.timeoutMs * 1e6 : Infinity
    } else if (this.#stage === 'download') {
      if (!ok) return this.#fail('protocol', 'VideoDownloadError', `downloading the result was answered with status ${this.#status}`)
      return this.#finish(ns)
    } else if (!ok) return this.#final(ns)
    const body = parse(Buffer.concat(this.#body))
    const step = body === undefined ? ({ kind: 'failed', message: 'the answer is no JSON' } as const) : this.#polling.next(body)
    if (step.kind === 'wait') return this.#pollLater(step.path)
    if (this.#stage === 'poll') this.#forward(ns)
    if (step.kind === 'failed') return this.#fail('protocol', 'JobFailed', step.message)
    if (step.download === undefined) return this.#finish(ns)
    this.#stage = 'download'
    this.#get(step.download)
  }

  fail(failure: TransportFailure, ns: number, connection: ConnectionInfo | undefined): void {
    this.#end(() => this.#sink.fail(failure, ns, this.#connection ?? connection))
  }

  #pollLater(path: string): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#now() > this.#deadlineNs) return this.#fail('timeout', 'TIMEOUT', `the job was not done within ${this.#request.timeoutMs} ms`)
      this.#stage = 'poll'
      this.#get(path)
    }, this.#polling.intervalMs)
  }

  #get(path: string): void {
    // A relative path leads on from where the job was submitted: `<id>` to `/v1/videos/<id>`.
    const submitted = this.#request.path.split('?', 1)[0]!
    const url = new URL(path, new URL(submitted.endsWith('/') ? submitted : `${submitted}/`, this.#request.target.url))
    this.#sending = this.#transport.send({ ...this.#request, method: 'GET', path: url.pathname + url.search, body: undefined }, this)
  }

  /** The final answer, as if it had come in one piece. */
  #forward(ns: number): void {
    this.#sink.head(this.#status, this.#headers, this.#headNs)
    this.#sink.bytes(Buffer.concat(this.#body), ns)
  }

  #final(ns: number): void {
    this.#forward(ns)
    this.#finish(ns)
  }

  #finish(ns: number): void {
    this.#end(() => this.#sink.end(ns, this.#connection!))
  }

  #fail(category: TransportFailure['category'], code: string, message: string): void {
    this.#end(() => this.#sink.fail({ category, code, message, afterFirstByte: true }, this.#now(), this.#connection))
  }

  #end(tell: () => void): void {
    if (this.#ended) return
    this.#ended = true
    tell()
  }
}

function parse(body: Buffer): Json | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as Json
  } catch {
    return undefined
  }
}
