import type { Socket } from 'node:net'
import { nowMs } from '../timing/clock.js'
import { Exchange } from './exchange.js'
import { BadRequest } from './head.js'
import { RequestParser } from './parser.js'
import { asciiJson, responseHead } from './response.js'
import { Splitter } from './splitter.js'

/** Bytes of pipelined requests that are read ahead while a response is under way. */
const READ_AHEAD_BYTES = 1 << 20

/**
 * A reset that comes in one read with data looks like a proper end to clients built on libuv. The turn of the event loop
 * after the delay is for a client in the same thread.
 */
const RESET_DELAY_MS = 10

export interface ConnectionLimits {
  readonly maxHeaderBytes: number
  readonly maxBodyBytes: number
}

/** One TCP connection: takes requests one after the other, in the order they came. */
export class Connection {
  readonly #parser: RequestParser
  readonly #splitter: Splitter
  #current: Exchange | undefined
  #requests = 0
  #advancing = false
  #headMs = 0
  #readMs = 0
  /** When the last response was complete, for the idle limit. */
  idleSinceMs = nowMs()

  constructor(
    readonly socket: Socket,
    readonly ordinal: number,
    limits: ConnectionLimits,
    private readonly handle: (exchange: Exchange) => void,
  ) {
    this.#parser = new RequestParser(limits.maxHeaderBytes, limits.maxBodyBytes)
    this.#splitter = new Splitter(socket, ordinal)
    socket.on('data', (bytes) => this.#received(bytes as Buffer))
    socket.on('end', () => this.#closed())
    socket.on('close', () => this.#closed())
    // Errors are followed by `close`, which says all that matters here.
    socket.on('error', () => {})
  }

  /** Whether no request is being read or answered. */
  get idle(): boolean {
    return this.#current === undefined && this.#parser.buffered === 0 && !this.#parser.insideBody
  }

  write(text: string, split: boolean): void {
    if (split || this.#splitter.busy) this.#splitter.write(text)
    else this.socket.write(text, 'latin1')
  }

  /** Called by the exchange when its response is complete. */
  completed(keepOpen: boolean): void {
    this.#current = undefined
    this.idleSinceMs = nowMs()
    if (!keepOpen) this.#splitter.drained(() => this.socket.end())
    else if (!this.#advancing) this.#advance(this.idleSinceMs)
  }

  /** Resets the connection. Meanwhile the exchange stays the current one, so that nothing new begins. */
  reset(): void {
    this.#splitter.drained(() => setTimeout(() => setImmediate(() => this.socket.resetAndDestroy()), RESET_DELAY_MS))
  }

  #received(bytes: Buffer): void {
    this.#readMs = nowMs()
    this.#parser.feed(bytes)
    if (this.#current === undefined) this.#advance(this.#readMs)
    else if (this.#parser.buffered > READ_AHEAD_BYTES) this.socket.pause()
  }

  /** Answers the requests that have come, until one takes its time. */
  #advance(atMs: number): void {
    this.#advancing = true
    try {
      while (this.#current === undefined && !this.socket.destroyed && !this.socket.writableEnded) {
        const wasInside = this.#parser.insideBody
        const request = this.#parser.take()
        if (!wasInside) this.#headMs = atMs
        if (!request) {
          this.#waitForMore()
          break
        }
        this.#current = new Exchange(this, request, this.#headMs, atMs, this.#requests++)
        this.handle(this.#current)
      }
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error
      this.#refuse(error)
    } finally {
      this.#advancing = false
    }
  }

  #waitForMore(): void {
    if (this.socket.isPaused()) this.socket.resume()
    if (!this.#parser.awaitsContinue) return
    this.#parser.awaitsContinue = false
    this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  #refuse(error: BadRequest): void {
    const body = asciiJson({ error: { message: error.message, type: 'BadRequestError', param: null, code: error.status } })
    this.socket.end(responseHead(error.status, 'application/json', body.length, '\r\nconnection: close') + body, 'latin1')
    // What is still to come would be read as the next request.
    this.socket.removeAllListeners('data').resume()
  }

  #closed(): void {
    const exchange = this.#current
    this.#current = undefined
    exchange?.gone()
    // A client that has closed its side waits for nothing more, as far as servers can tell.
    if (!this.socket.writableEnded) this.socket.destroySoon()
  }
}
