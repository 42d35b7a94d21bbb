import type { ConnectionInfo, TransportFailure } from '@aiperf/core'
import type { OnReadOpts, Socket } from 'node:net'
import { dial } from './dial.js'
import type { Exchange } from './exchange.js'
import type { Head } from './head.js'
import type { Names } from './names.js'
import type { Origin } from './origin.js'
import { ResponseParser, type ResponseHandler } from './parser.js'
import { ProtocolError } from './protocol-error.js'
import type { RequestHeads } from './request-head.js'

/** What the connections of one transport share. */
export interface Shared {
  now(): number
  names: Names
  heads: RequestHeads
  /** Read buffer for a new connection. */
  readBuffer(): Buffer
  nextId(): number
  /** Longest time a connection may stay idle, ns. */
  idleNs: number
}

/** The pool a connection belongs to. */
export interface Owner {
  /** Connected, with no request waiting for it. */
  ready(connection: Connection): void
  /** A response is complete and the connection can serve another request. `again`: it had served one before. */
  release(connection: Connection, again: boolean): void
  /** Gone for good. */
  closed(connection: Connection): void
  /** Sends an exchange again that a reused connection lost before any answer. `again`: it had served one before. */
  retry(exchange: Exchange, again: boolean): void
}

/** Bodies up to this size are copied behind their head, so that one write carries both. */
const COPY_MOST_BYTES = 16 * 1024

/** One connection: at most one exchange at a time. */
export class Connection implements ResponseHandler {
  readonly #shared: Shared
  readonly #owner: Owner
  readonly #origin: Origin
  readonly #parser = new ResponseParser(this)
  readonly #buffer: Buffer
  readonly #info: ConnectionInfo
  #socket: Socket | undefined
  exchange: Exchange | undefined
  /** Key of the session it is kept for. */
  key: string | undefined
  #connected = false
  #tcpConnected = false
  dropped = false
  /** In the pool's list of idle connections. */
  idle = false
  /** Requests carried before the present one; a connection opened ahead begins with one for its idle time. */
  #carried = 0
  #reused = false
  /** Responses completed. */
  #served = 0
  #idleUntilNs = 0
  #awaitsFirstByte = true

  constructor(shared: Shared, owner: Owner, origin: Origin, exchange: Exchange | undefined) {
    this.#shared = shared
    this.#owner = owner
    this.#origin = origin
    this.#buffer = shared.readBuffer()
    this.#info = { id: shared.nextId(), reused: false, retried: false, bytesSent: 0 }
    this.exchange = exchange
    if (exchange !== undefined) exchange.connection = this
    if (origin.socketPath !== undefined) this.#dial([])
    else
      shared.names.resolve(origin.host, origin.family, (error, addresses, resolved) => {
        if (this.dropped) return
        if (error !== null) return this.#lost('dns', error.code ?? 'EAI_FAIL', `cannot resolve ${origin.host}: ${error.code ?? error.message}`)
        if (resolved) this.exchange?.sink.phase('dns', shared.now())
        if (!this.dropped) this.#dial(addresses)
      })
  }

  get usable(): boolean {
    return !this.dropped && this.#shared.now() < this.#idleUntilNs
  }

  #dial(addresses: Parameters<typeof dial>[1]): void {
    const onread: OnReadOpts = { buffer: this.#buffer, callback: (length) => this.#read(length) }
    const socket = (this.#socket = dial(this.#origin, addresses, onread))
    socket.on('connect', () => this.#tcp(socket))
    if (this.#origin.secure) socket.on('secureConnect', () => this.#open('tls'))
    socket.on('end', () => this.#ended())
    socket.on('error', (error: NodeJS.ErrnoException) => this.#failed(error))
    socket.on('close', () => this.#lost('reset', 'ECONNRESET', 'the connection was closed'))
  }

  #tcp(socket: Socket): void {
    this.#tcpConnected = true
    if (socket.localPort !== undefined) this.#info.localPort = socket.localPort
    if (socket.remoteAddress !== undefined) {
      this.#info.remoteAddress = socket.remoteAddress
      this.#shared.names.rate(this.#origin.host, this.#origin.family, socket.remoteAddress, true)
    }
    if (this.#origin.secure) this.exchange?.sink.phase('tcp', this.#shared.now())
    else this.#open('tcp')
  }

  #open(phase: 'tcp' | 'tls'): void {
    this.#connected = true
    const exchange = this.exchange
    if (exchange === undefined) {
      this.#carried = 1
      this.#idleUntilNs = this.#shared.now() + this.#shared.idleNs
      this.#owner.ready(this)
      return
    }
    exchange.sink.phase(phase, this.#shared.now())
    if (this.exchange === exchange) this.#start(exchange)
  }

  /** Takes an exchange: at once when connected, else as soon as it is. */
  carry(exchange: Exchange): void {
    this.exchange = exchange
    exchange.connection = this
    if (this.#connected) this.#start(exchange)
  }

  #start(exchange: Exchange): void {
    const { sink, request } = exchange
    this.#reused = this.#carried > 0
    this.#carried++
    this.#awaitsFirstByte = true
    exchange.answered = false
    this.#parser.reset(request.method === 'HEAD')
    sink.phase('assigned', this.#shared.now())
    if (exchange.finished) return
    try {
      this.#write(exchange)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      // Told later: `send` has not returned yet.
      queueMicrotask(() => exchange.abort('protocol', error.code, error.message))
    }
  }

  #write(exchange: Exchange): void {
    const socket = this.#socket!
    const { heads } = this.#shared
    const { body, connection } = exchange.request
    const headBytes = heads.write(exchange.request, this.#origin.authority, connection === 'never')
    const bodyBytes = body === undefined ? 0 : body.length
    exchange.bytesSent = headBytes + bodyBytes
    if (!this.#origin.secure && headBytes + bodyBytes <= heads.scratch.length && bodyBytes <= COPY_MOST_BYTES) {
      if (body !== undefined) heads.scratch.set(body, headBytes)
      socket.write(heads.scratch.subarray(0, headBytes + bodyBytes))
      if (socket.writableLength === 0) return exchange.sink.phase('written', this.#shared.now())
      // The kernel did not take all of it: the buffer belongs to the write until it does.
      heads.renew()
      socket.write('', () => this.#written(exchange))
      return
    }
    const head = Buffer.from(heads.scratch.subarray(0, headBytes))
    const done = (): void => this.#written(exchange)
    if (body === undefined) socket.write(head, done)
    else {
      socket.cork()
      socket.write(head)
      socket.write(body, done)
      socket.uncork()
    }
  }

  #written(exchange: Exchange): void {
    if (this.exchange === exchange) exchange.sink.phase('written', this.#shared.now())
  }

  /** Returns true always: reading is never paused, the kernel's buffers are not a place to keep a measurement. */
  #read(length: number): true {
    const ns = this.#shared.now()
    const exchange = this.exchange
    if (exchange === undefined) {
      // Bytes that nobody asked for: what they mean is unknown, so the connection cannot be trusted.
      this.drop()
      return true
    }
    if (this.#awaitsFirstByte) {
      this.#awaitsFirstByte = false
      exchange.answered = true
      exchange.sink.phase('first-byte', ns)
    }
    let used: number
    try {
      used = this.#parser.push(this.#buffer, length, ns)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      exchange.abort('protocol', error.code, error.message)
      return true
    }
    if (this.#parser.done && this.exchange === exchange) this.#complete(exchange, ns, used === length)
    return true
  }

  onInterim(): void {
    this.#awaitsFirstByte = true
  }
  onHead(head: Head, ns: number): void {
    this.exchange!.sink.head(head.status, head.headers, ns)
  }
  onBody(view: Uint8Array, ns: number): void {
    this.exchange?.sink.bytes(view, ns)
  }

  #complete(exchange: Exchange, ns: number, clean: boolean): void {
    const { connection } = exchange.request
    const info = this.report(exchange)
    const last = connection === 'never' || (connection !== 'pooled' && (connection.last || this.key !== connection.key))
    const idleNs = clean && !last && this.#parser.keepAlive && this.#socket!.writableLength === 0 ? this.#idleNs() : 0
    exchange.finish()
    this.#served++
    if (idleNs > 0) {
      this.#idleUntilNs = ns + idleNs
      this.#owner.release(this, this.#served > 1)
    } else this.drop()
    exchange.sink.end(ns, info)
  }

  /** How long it may wait for the next request, kept short of what the server promised: its clock began earlier. */
  #idleNs(): number {
    const promised = this.#parser.keepAliveSeconds
    if (Number.isNaN(promised)) return this.#shared.idleNs
    return Math.min(this.#shared.idleNs, (promised > 2 ? promised - 1 : promised / 2) * 1e9)
  }

  /** Facts for the sink; the object is used again for the next exchange. */
  report(exchange: Exchange): ConnectionInfo {
    this.#info.reused = this.#reused
    this.#info.retried = exchange.retried
    this.#info.bytesSent = exchange.bytesSent
    return this.#info
  }

  #ended(): void {
    if (this.exchange !== undefined && this.#parser.untilClose) this.#complete(this.exchange, this.#shared.now(), false)
    else this.#lost('reset', 'CLOSED', 'the server closed the connection before the response was complete')
  }

  #failed(error: NodeJS.ErrnoException): void {
    const { host, port, socketPath } = this.#origin
    const code = error.code ?? error.name
    const place = socketPath ?? `${host}:${port}`
    if (this.#connected) return this.#lost('reset', code, `the connection to ${place} was lost: ${code}`)
    if (this.#tcpConnected) return this.#lost('tls', code, `no TLS connection to ${place}: ${error.message}`)
    if (addressOf(error) !== undefined) this.#shared.names.rate(host, this.#origin.family, addressOf(error)!, false)
    this.#lost('connect', code, `cannot connect to ${place}: ${code}`)
  }

  #lost(category: TransportFailure['category'], code: string, message: string): void {
    if (this.dropped) return
    const exchange = this.exchange
    this.drop()
    if (exchange === undefined) return
    if (this.#connected && this.#reused && !exchange.answered && !exchange.retried) {
      exchange.retried = true
      this.exchange = undefined
      this.#owner.retry(exchange, this.#served > 0)
      return
    }
    exchange.fail({ category, code, message, afterFirstByte: exchange.answered }, this.#shared.now(), this.report(exchange))
  }

  /** Closes at once. The exchange, if any, is the caller's to end. */
  drop(): void {
    if (this.dropped) return
    this.dropped = true
    this.#parser.abandon()
    this.#socket?.destroy()
    this.#owner.closed(this)
  }
}

function addressOf(error: Error): string | undefined {
  return (error as { address?: string }).address
}
