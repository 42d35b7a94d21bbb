import { Connection, type Owner, type Shared } from './connection.js'
import type { Exchange } from './exchange.js'
import type { Origin } from './origin.js'

/**
 * Connections lost in a row when they were used again, after which none is offered for reuse any more; connections closed in a
 * row, after which none is opened ahead.
 */
const DISTRUST = 3
/** One response in so many leaves its connection open all the same, to see whether the server has changed. */
const TRIAL = 64

/** Requests that must have found no free connection before some are opened ahead: one for so many of them. */
const RESERVE_FROM = 16
const RESERVE_SHARE = 4
const RESERVE_MOST = 32

/** The connections to one origin. The one used last is used first: it is the least likely to have been closed. */
export class Pool implements Owner {
  readonly #shared: Shared
  readonly #origin: Origin
  #idle: Connection[] = []
  #deadIdle = 0
  #closed = false
  #broken = 0
  #sinceTrial = 0
  /** Requests that found no free connection although the server keeps them open, and whether more are about to be opened. */
  #misses = 0
  #reserving = false
  /** Connections closed since a response last left one open. */
  #closedInARow = 0
  /** Being opened ahead, with no request waiting for them. */
  readonly #spare = new Set<Connection>()
  readonly #keyed = new Map<string, Connection>()
  readonly #settled = new Map<Connection, () => void>()

  constructor(shared: Shared, origin: Origin) {
    this.#shared = shared
    this.#origin = origin
  }

  /** Opens connections until `count` are idle or on their way. Resolves when each has succeeded or failed. */
  async open(count: number): Promise<void> {
    const missing = count - (this.#idle.length - this.#deadIdle) - this.#spare.size
    const waits: Promise<void>[] = []
    for (let i = 0; i < missing; i++) {
      // In portions: a server's accept queue is commonly 128 to 4096 long.
      if (i % 128 === 127) await Promise.all(waits)
      const connection = new Connection(this.#shared, this, this.#origin, undefined)
      if (connection.dropped) continue
      this.#spare.add(connection)
      waits.push(new Promise((resolve) => this.#settled.set(connection, resolve)))
    }
    await Promise.all(waits)
  }

  carry(exchange: Exchange): void {
    const { connection } = exchange.request
    if (connection === 'never') this.#dial(exchange)
    else if (connection === 'pooled') this.#carryAny(exchange)
    else this.#carryKeyed(exchange, connection.key)
  }

  #carryAny(exchange: Exchange): Connection {
    const connection = this.#takeIdle() ?? this.#takeSpare()
    if (connection === undefined) {
      this.#reserve()
      return this.#dial(exchange)
    }
    connection.carry(exchange)
    return connection
  }

  /**
   * More requests are under way than ever before, and more may come: in an open loop each would pay for a connection, by being
   * late at the server. Some are opened ahead, after the request that is due now.
   */
  #reserve(): void {
    if (this.#closedInARow >= DISTRUST || this.#broken >= DISTRUST) return
    if (++this.#misses < RESERVE_FROM || this.#reserving) return
    this.#reserving = true
    setImmediate(() => {
      this.#reserving = false
      if (!this.#closed) void this.open(Math.min(RESERVE_MOST, Math.ceil(this.#misses / RESERVE_SHARE)))
    })
  }

  #carryKeyed(exchange: Exchange, key: string): void {
    const kept = this.#keyed.get(key)
    if (kept === undefined || !(kept.exchange !== undefined || kept.usable)) {
      kept?.drop()
      const connection = this.#carryAny(exchange)
      if (connection.dropped) return
      connection.key = key
      this.#keyed.set(key, connection)
    } else if (kept.exchange !== undefined) this.#dial(exchange)
    else kept.carry(exchange)
  }

  #dial(exchange: Exchange): Connection {
    return new Connection(this.#shared, this, this.#origin, exchange)
  }

  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return undefined
      connection.idle = false
      if (connection.dropped) this.#deadIdle--
      else if (connection.usable) return connection
      else connection.drop()
    }
  }

  #keep(connection: Connection): void {
    connection.idle = true
    this.#idle.push(connection)
  }

  #takeSpare(): Connection | undefined {
    for (const connection of this.#spare) {
      this.#spare.delete(connection)
      this.#settle(connection)
      return connection
    }
    return undefined
  }

  ready(connection: Connection): void {
    this.#spare.delete(connection)
    this.#settle(connection)
    this.#keep(connection)
  }

  release(connection: Connection, again: boolean): void {
    if (again) this.#broken = 0
    this.#closedInARow = 0
    if (this.#closed || (this.#broken >= DISTRUST && this.#sinceTrial++ % TRIAL !== TRIAL - 1)) connection.drop()
    else if (connection.key === undefined) this.#keep(connection)
  }

  /** A server that promises keep-alive and closes nevertheless (some do after each stream) is not taken at its word for long. */
  retry(exchange: Exchange, again: boolean): void {
    if (again) this.#broken++
    const { connection } = exchange.request
    const fresh = this.#dial(exchange)
    if (typeof connection === 'string' || fresh.dropped || this.#keyed.has(connection.key)) return
    fresh.key = connection.key
    this.#keyed.set(connection.key, fresh)
  }

  closed(connection: Connection): void {
    this.#closedInARow++
    this.#spare.delete(connection)
    this.#settle(connection)
    if (connection.key !== undefined && this.#keyed.get(connection.key) === connection) this.#keyed.delete(connection.key)
    // Taken out of the list in bulk: a server that closes thousands of idle connections at once must not cost their square.
    if (connection.idle) this.#deadIdle++
    if (this.#deadIdle > 64 && this.#deadIdle * 2 > this.#idle.length) {
      this.#idle = this.#idle.filter((c) => !c.dropped)
      this.#deadIdle = 0
    }
  }

  #settle(connection: Connection): void {
    const resolve = this.#settled.get(connection)
    if (resolve === undefined) return
    this.#settled.delete(connection)
    resolve()
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#idle) connection.drop()
    for (const connection of this.#spare) connection.drop()
    for (const connection of this.#keyed.values()) if (connection.exchange === undefined) connection.drop()
    this.#idle = []
    this.#deadIdle = 0
  }
}
