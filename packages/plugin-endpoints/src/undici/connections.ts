import type { ConnectionInfo } from '@aiperf/core'
import type { Socket } from 'node:net'
import type { buildConnector as Build } from 'undici'

/** What is known of a socket that undici uses. */
export interface SocketFacts extends ConnectionInfo {
  tcpNs: number
  tlsNs: number
  /** Requests sent on it, the present one included. */
  requests: number
}

/** Stamps the sockets that undici opens, and finds them again. */
export class Connections {
  readonly #now: () => number
  readonly #facts = new WeakMap<object, SocketFacts>()
  #ids = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** A connector that stamps what it opens. */
  connector(build: typeof Build, options: Build.BuildOptions): Build.connector {
    const connect = build(options)
    return (parameters, done) => {
      const socket = (connect as (...all: unknown[]) => Socket | undefined)(parameters, done)
      const facts = { id: ++this.#ids, reused: false, retried: false, bytesSent: 0, tcpNs: Number.NaN, tlsNs: Number.NaN, requests: 0 }
      if (socket === undefined) return
      this.#facts.set(socket, facts)
      // Before undici's own listeners: the first request is written from within them.
      socket.prependOnceListener('connect', () => (facts.tcpNs = this.#now()))
      socket.prependOnceListener('secureConnect', () => (facts.tlsNs = this.#now()))
    }
  }

  of(socket: Socket): SocketFacts {
    let facts = this.#facts.get(socket)
    if (facts === undefined) {
      // A socket that a proxy handed over: its set-up was not seen.
      facts = { id: ++this.#ids, reused: false, retried: false, bytesSent: 0, tcpNs: Number.NaN, tlsNs: Number.NaN, requests: 0 }
      this.#facts.set(socket, facts)
    }
    if (facts.requests === 0) {
      if (socket.localPort !== undefined) facts.localPort = socket.localPort
      if (socket.remoteAddress !== undefined) facts.remoteAddress = socket.remoteAddress
    }
    return facts
  }
}
