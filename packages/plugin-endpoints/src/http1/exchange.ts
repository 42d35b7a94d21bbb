import type { ByteSink, ConnectionInfo, OutgoingRequest, Sending, TransportFailure } from '@aiperf/core'
import type { Connection } from './connection.js'
import type { DeadlineList, Deadlines, Timed } from './deadlines.js'

/** One request on its way: what was asked, who listens, and the connection that carries it. */
export class Exchange implements Sending, Timed {
  readonly request: OutgoingRequest
  readonly sink: ByteSink
  readonly #deadlines: Deadlines
  readonly #now: () => number
  connection: Connection | undefined
  /** Response bytes came on the present connection. */
  answered = false
  retried = false
  finished = false
  bytesSent = 0

  deadlineNs = 0
  previous: Timed | undefined = undefined
  next: Timed | undefined = undefined
  list: DeadlineList | undefined = undefined

  constructor(request: OutgoingRequest, sink: ByteSink, deadlines: Deadlines, now: () => number) {
    this.request = request
    this.sink = sink
    this.#deadlines = deadlines
    this.#now = now
    if (request.timeoutMs > 0) deadlines.add(this, request.timeoutMs, now())
  }

  cancel(): void {
    this.abort('cancelled', 'CANCELLED', 'the request was cancelled')
  }

  expire(): void {
    const { timeoutMs } = this.request
    this.abort('timeout', 'TIMEOUT', `no complete response within ${timeoutMs} ms (${this.answered ? 'it had begun' : 'nothing was received'})`)
  }

  /** Ends the request from this side and drops its connection. */
  abort(category: TransportFailure['category'], code: string, message: string): void {
    if (this.finished) return
    const connection = this.connection
    const afterFirstByte = this.answered
    this.finish()
    connection?.drop()
    this.sink.fail({ category, code, message, afterFirstByte }, this.#now(), connection?.report(this))
  }

  /** No more callbacks after this but the one that tells the end. */
  finish(): void {
    this.finished = true
    this.#deadlines.remove(this)
    if (this.connection !== undefined) this.connection.exchange = undefined
    this.connection = undefined
  }

  fail(failure: TransportFailure, ns: number, connection: ConnectionInfo | undefined): void {
    this.finish()
    this.sink.fail(failure, ns, connection)
  }
}
