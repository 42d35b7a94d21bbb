import { defineTransport, type ByteSink, type OutgoingRequest, type Sending, type Target, type Transport, type TransportContext } from '@aiperf/core'
import type { Shared } from './http1/connection.js'
import { Deadlines } from './http1/deadlines.js'
import { Exchange } from './http1/exchange.js'
import { Names } from './http1/names.js'
import { originOf } from './http1/origin.js'
import { Pool } from './http1/pool.js'
import { RequestHeads } from './http1/request-head.js'
import type options from './http.options.js'

type Context = TransportContext<(typeof options)['_zod']['output']>

const READ_BUFFER_BYTES = 64 * 1024

/**
 * HTTP/1.1 straight on sockets: one write per request, one clock reading per read, no streams, no promises.
 *
 * A request that a reused connection loses before any response byte is sent once more on a fresh connection, and says so
 * (`retried`); nothing else is sent twice. Of a phase that is reported more than once, the last stamp counts.
 */
class HttpTransport implements Transport {
  readonly #now: () => number
  readonly #shared: Shared
  readonly #deadlines: Deadlines
  readonly #pools = new Map<string, Pool>()
  readonly #byTarget = new WeakMap<Target, Pool>()
  #closed = false

  constructor({ options, now }: Context) {
    this.#now = now
    this.#deadlines = new Deadlines(now)
    // On POSIX a read fills the buffer and calls back before the next one begins, so that all connections can share one.
    // On Windows reads are posted ahead: each connection needs its own.
    const shared = process.platform === 'win32' ? undefined : Buffer.allocUnsafeSlow(READ_BUFFER_BYTES)
    let id = 0
    this.#shared = {
      now,
      names: new Names(now, options.dnsTtlSeconds * 1e9),
      heads: new RequestHeads(),
      readBuffer: () => shared ?? Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
      nextId: () => ++id,
      idleNs: options.keepAliveSeconds * 1e9,
    }
  }

  open(target: Target, count: number): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#pool(target).open(count)
  }

  send(request: OutgoingRequest, sink: ByteSink): Sending {
    const exchange = new Exchange(request, sink, this.#deadlines, this.#now)
    if (this.#closed) queueMicrotask(() => exchange.abort('cancelled', 'CLOSED', 'the transport is closed'))
    else this.#pool(request.target).carry(exchange)
    return exchange
  }

  close(): Promise<void> {
    this.#closed = true
    for (const pool of this.#pools.values()) pool.close()
    return Promise.resolve()
  }

  #pool(target: Target): Pool {
    let pool = this.#byTarget.get(target)
    if (pool !== undefined) return pool
    const origin = originOf(target)
    pool = this.#pools.get(origin.key)
    if (pool === undefined) this.#pools.set(origin.key, (pool = new Pool(this.#shared, origin)))
    this.#byTarget.set(target, pool)
    return pool
  }
}

export default defineTransport<typeof options>({ create: (context) => new HttpTransport(context) })
