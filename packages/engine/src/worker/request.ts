import { cacheBustMarker, stampCacheBust, type EncodeInput, type OutgoingRequest } from '@aiperf/core'
import { ENTRY } from '../shared/arena.js'
import { requestId } from '../shared/ids.js'
import type { Flight } from './flight.js'
import type { LiveSession } from './session.js'
import type { WorkerSetup } from './setup.js'

/** Makes the outgoing request of a turn: the prepared body, or one encoded now from the history. */
export class RequestMaker {
  readonly #setup: WorkerSetup
  constructor(setup: WorkerSetup) {
    this.#setup = setup
  }

  make(flight: Flight, session: LiveSession, row: number, hasNext: boolean): OutgoingRequest {
    const { store, targets, paths, fixedHeaders, sessionHeaders, runHex, timeoutMs, keepRaw, arena, connection, cacheBust } = this.#setup
    const ready = store.body(row)
    const prepared = ready ?? this.#encode(session)
    const body = cacheBust ? stampCacheBust(prepared, cacheBustMarker(session.correlationId), session.phase.kind === 'warmup') : prepared
    const headers = ['X-Request-ID', requestId(runHex, flight.ordinal)]
    for (const name of sessionHeaders) headers.push(name, session.correlationId)
    const extra = store.headers(row)
    if (extra.length > 0) headers.push(...extra)
    if (keepRaw) arena.bytes(ENTRY.sent, flight.ordinal, 0, 0, Buffer.concat([Buffer.from(JSON.stringify([...fixedHeaders, ...headers])), Buffer.from([0]), body]))
    if (!ready) arena.bytes(ENTRY.input, flight.ordinal, 0, 0, body)
    return {
      target: targets[session.url]!,
      method: store.shared.wire.method,
      path: paths[session.url]!,
      fixedHeaders,
      headers,
      body,
      connection: connection === 'sticky-user-sessions' ? { key: session.correlationId, last: !hasNext } : connection,
      timeoutMs,
    }
  }

  #encode(session: LiveSession): Uint8Array {
    const dynamic = session.dynamic!
    const input: EncodeInput = {
      turns: dynamic.turns.slice(session.firstTurn, session.turn + 1),
      replies: session.replies.slice(session.firstTurn, session.turn),
      session: dynamic,
      ...(session.previousId === undefined ? {} : { previousId: session.previousId }),
    }
    return this.#setup.endpoint.encode(input).body
  }
}
