import { OPENAI } from '../wire/errors.js'
import type { Connection } from './connection.js'
import type { HttpRequest } from './request.js'
import { asciiJson, responseHead } from './response.js'

/** One request and the response to it. Exactly one of `finish`, `hangUp` and `reset` ends it. */
export class Exchange {
  /** Called when the client goes away before the response is complete. */
  onGone: (() => void) | undefined
  /** Send the bytes in small pieces, over several turns of the event loop. */
  split = false
  #over = false

  constructor(
    readonly connection: Connection,
    readonly request: HttpRequest,
    /** When the request's head had been read, in ms of the server's monotonic clock. */
    readonly headMs: number,
    /** When all of the request had been read and its turn on the connection had come. */
    readonly arrivalMs: number,
    /** How many requests came before it on the connection. */
    readonly onConnection: number,
  ) {}

  /** Whether the response is complete, or the client gone. */
  get over(): boolean {
    return this.#over
  }

  /** Whether the body may be sent in the chunked encoding. */
  get canChunk(): boolean {
    return this.request.version === '1.1'
  }

  /** Header lines that every response to this request carries. */
  commonHeaders(): string {
    const id = this.request.header('x-request-id')
    const { keepAlive, version } = this.request
    const connection = !keepAlive ? '\r\nconnection: close' : version === '1.0' ? '\r\nconnection: keep-alive' : ''
    return id === undefined ? connection : `${connection}\r\nx-request-id: ${id}`
  }

  /** Hands Latin-1 text to the socket. */
  write(text: string): void {
    if (!this.#over) this.connection.write(text, this.split)
  }

  /** Answers with a whole body: bytes, or text to be encoded as UTF-8. */
  respond(status: number, contentType: string, body: string | Buffer, extra = ''): void {
    const isAscii = typeof body === 'string' && Buffer.byteLength(body) === body.length
    const bytes = isAscii ? body : Buffer.from(body as string).toString('latin1')
    const head = responseHead(status, contentType, bytes.length, extra + this.commonHeaders())
    this.write(this.request.method === 'HEAD' ? head : head + bytes)
    this.finish()
  }

  respondJson(status: number, value: unknown, extra?: string): void {
    this.respond(status, 'application/json', asciiJson(value), extra)
  }

  /** Answers with an error in the shape that OpenAI-compatible servers use. */
  respondError(status: number, message: string, extra?: string): void {
    this.respondJson(status, OPENAI.body(status, message), extra)
  }

  /** The response is complete; the connection takes its next request, or closes where that was agreed on. */
  finish(keepOpen: boolean = this.request.keepAlive): void {
    if (this.#end()) this.connection.completed(keepOpen)
  }

  /** Closes the connection as it is, after what has been written. */
  hangUp(): void {
    if (this.#end()) this.connection.completed(false)
  }

  /** Resets the connection (RST). */
  reset(): void {
    if (this.#end()) this.connection.reset()
  }

  /** Called by the connection when the client has gone. */
  gone(): void {
    if (this.#end()) this.onGone?.()
  }

  #end(): boolean {
    if (this.#over) return false
    return (this.#over = true)
  }
}
