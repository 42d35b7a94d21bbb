import type { ByteSink, ConnectionInfo, Phase, Sending, TransportFailure } from '@aiperf/core'
import type { ResponseReader } from '../decode/response.js'
import { isRedirect } from '../decode/status.js'
import { END_FIELDS, END_INDEX, ENTRY, STOP, type ArenaWriter } from '../shared/arena.js'
import type { LiveSession } from './session.js'

/** What a flight tells its worker. */
export interface FlightOwner {
  readonly arena: ArenaWriter
  readonly keepRaw: boolean
  written(flight: Flight, ns: number): void
  firstToken(flight: Flight): void
  /** Called between two reads: what became due meanwhile is sent before the next. */
  attend(ns: number): void
  ended(flight: Flight, ns: number, failure: TransportFailure | undefined): void
}

/**
 * One request in flight: takes the transport's stamps and bytes and puts them into the arena. Nothing is parsed here,
 * except where the session's next turn needs the reply, or a prefill slot waits for the first token.
 */
export class Flight implements ByteSink {
  ordinal = 0
  session!: LiveSession
  sending: Sending | undefined
  /** Reads the response besides; undefined for most requests. */
  reader: ResponseReader | undefined
  holdsPrefill = false
  stop: number = STOP.none
  ended = false
  cancelTimer: NodeJS.Timeout | undefined
  status = 0
  readonly facts = new Float64Array(END_FIELDS.length)
  readonly #owner: FlightOwner

  constructor(owner: FlightOwner) {
    this.#owner = owner
  }

  begin(ordinal: number, session: LiveSession): void {
    this.ordinal = ordinal
    this.session = session
    this.sending = undefined
    this.reader = undefined
    this.holdsPrefill = false
    this.stop = STOP.none
    this.ended = false
    this.cancelTimer = undefined
    this.status = 0
    this.facts.fill(Number.NaN)
  }

  phase(phase: Phase, ns: number): void {
    switch (phase) {
      case 'written':
        this.facts[END_INDEX.writtenNs] = ns
        this.#owner.written(this, ns)
        break
      case 'assigned':
        this.facts[END_INDEX.assignedNs] = ns
        break
      case 'first-byte':
        this.facts[END_INDEX.firstByteNs] = ns
        break
      case 'dns':
        this.facts[END_INDEX.dnsNs] = ns
        break
      case 'tcp':
        this.facts[END_INDEX.tcpNs] = ns
        break
      case 'tls':
        this.facts[END_INDEX.tlsNs] = ns
    }
  }

  head(status: number, headers: readonly string[], ns: number): void {
    this.status = status
    let type = ''
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!
      if (name.length === 12 && name.toLowerCase() === 'content-type') type = headers[i + 1]!
    }
    const payload = this.#owner.keepRaw || isRedirect(status) ? `${type}\n${JSON.stringify(headers)}` : type
    this.#owner.arena.bytes(ENTRY.head, this.ordinal, ns, status, Buffer.from(payload, 'latin1'))
    this.reader?.head(status, type.split(';', 1)[0]!.trim().toLowerCase(), ns)
  }

  bytes(view: Uint8Array, ns: number): void {
    this.#owner.arena.bytes(ENTRY.bytes, this.ordinal, ns, 0, view)
    if (this.reader) {
      this.reader.bytes(view, ns)
      if (this.holdsPrefill && this.reader.contentEvents > 0) this.#owner.firstToken(this)
    }
    this.#owner.attend(ns)
  }

  end(ns: number, connection: ConnectionInfo): void {
    this.#finish(ns, connection, undefined)
  }

  fail(failure: TransportFailure, ns: number, connection: ConnectionInfo | undefined): void {
    this.#finish(ns, connection, failure)
  }

  #finish(ns: number, connection: ConnectionInfo | undefined, failure: TransportFailure | undefined): void {
    if (this.ended) return
    this.ended = true
    clearTimeout(this.cancelTimer)
    const { facts, session } = this
    if (connection) {
      facts[END_INDEX.connection] = connection.id
      facts[END_INDEX.reused] = connection.reused ? 1 : 0
      facts[END_INDEX.retried] = connection.retried ? 1 : 0
      facts[END_INDEX.bytesSent] = connection.bytesSent
    } else facts[END_INDEX.retried] = 0
    facts[END_INDEX.phase] = session.phase.index
    facts[END_INDEX.stop] = this.stop
    this.#owner.arena.numbers(ENTRY.end, this.ordinal, ns, 0, facts, failure ? Buffer.from(JSON.stringify(failure)) : undefined)
    this.#owner.ended(this, ns, failure)
  }
}
