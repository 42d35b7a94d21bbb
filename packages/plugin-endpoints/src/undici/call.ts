import type { ByteSink, OutgoingRequest, Sending } from '@aiperf/core'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { DeadlineList, Deadlines, Timed } from '../http1/deadlines.js'
import type { Connections, SocketFacts } from './connections.js'
import { failureOf } from './failure.js'

/** What a call needs of its transport. */
export interface Caller {
  now(): number
  deadlines: Deadlines
  connections: Connections
  /** Dispatches a call, on a connection of its own when `fresh`. */
  dispatch(call: Call, fresh: boolean): void
}

/** One request given to undici. */
export class Call implements Sending, Timed, Dispatcher.DispatchHandler {
  readonly request: OutgoingRequest
  readonly sink: ByteSink
  readonly sentNs: number
  readonly #caller: Caller
  #controller: Dispatcher.DispatchController | undefined
  #facts: SocketFacts | undefined
  #reused = false
  #answered = false
  #retried = false
  #finished = false
  deadlineNs = 0
  previous: Timed | undefined = undefined
  next: Timed | undefined = undefined
  list: DeadlineList | undefined = undefined

  constructor(request: OutgoingRequest, sink: ByteSink, caller: Caller) {
    this.request = request
    this.sink = sink
    this.#caller = caller
    this.sentNs = caller.now()
    if (request.timeoutMs > 0) caller.deadlines.add(this, request.timeoutMs, this.sentNs)
  }

  cancel(): void {
    this.abort('cancelled', 'CANCELLED', 'the request was cancelled')
  }
  expire(): void {
    this.abort('timeout', 'TIMEOUT', `no complete response within ${this.request.timeoutMs} ms (${this.#answered ? 'it had begun' : 'nothing was received'})`)
  }
  abort(category: 'cancelled' | 'timeout', code: string, message: string): void {
    if (this.#finished) return
    this.#finish()
    this.#controller?.abort(new Error(message))
    this.sink.fail({ category, code, message, afterFirstByte: this.#answered }, this.#caller.now(), this.#report())
  }

  /** The head is about to be written to `socket`. */
  assigned(socket: Socket): void {
    if (this.#finished) return
    const facts = (this.#facts = this.#caller.connections.of(socket))
    this.#reused = facts.requests++ > 0
    if (facts.tcpNs >= this.sentNs && !this.#reused) this.sink.phase('tcp', facts.tcpNs)
    if (facts.tlsNs >= this.sentNs && !this.#reused) this.sink.phase('tls', facts.tlsNs)
    if (!this.#finished) this.sink.phase('assigned', this.#caller.now())
  }
  written(): void {
    if (!this.#finished) this.sink.phase('written', this.#caller.now())
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#finished) controller.abort(new Error('ended before it was sent'))
  }
  onResponseStarted(): void {
    if (this.#finished) return
    this.#answered = true
    this.sink.phase('first-byte', this.#caller.now())
  }
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#finished || status < 200) return
    this.sink.head(status, flat((controller as { rawHeaders?: unknown }).rawHeaders, headers), this.#caller.now())
  }
  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (!this.#finished) this.sink.bytes(chunk, this.#caller.now())
  }
  onResponseEnd(): void {
    if (this.#finished) return
    this.#finish()
    this.sink.end(this.#caller.now(), this.#report()!)
  }
  onResponseError(_controller: unknown, error: Error): void {
    if (this.#finished) return
    const failure = failureOf(error, this.#answered)
    if (failure.category === 'reset' && this.#reused && !this.#answered && !this.#retried) {
      this.#retried = true
      this.#reused = false
      this.#caller.dispatch(this, true)
      return
    }
    this.#finish()
    this.sink.fail(failure, this.#caller.now(), this.#report())
  }

  #finish(): void {
    this.#finished = true
    this.#caller.deadlines.remove(this)
  }

  #report(): SocketFacts | undefined {
    const facts = this.#facts
    if (facts === undefined) return undefined
    facts.reused = this.#reused
    facts.retried = this.#retried
    // undici does not tell the size of the head.
    facts.bytesSent = this.request.body?.length ?? 0
    return facts
  }
}

/** Headers as received where undici keeps them (HTTP/1.1), but for white space around values; in lower case otherwise. */
function flat(raw: unknown, headers: Record<string, string | string[] | undefined>): string[] {
  if (Array.isArray(raw)) return raw.map((item: Buffer | string) => (typeof item === 'string' ? item : item.toString('latin1')).replace(/^[ \t]+|[ \t]+$/g, ''))
  const out: string[] = []
  for (const [name, value] of Object.entries(headers)) for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) out.push(name, one)
  return out
}
