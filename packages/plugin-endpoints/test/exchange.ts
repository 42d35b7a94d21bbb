import type { ByteSink, ConnectionInfo, OutgoingRequest, Phase, Sending, Target, Transport, TransportContext, TransportFailure } from '@aiperf/core'
import http from '../src/http.js'
import undici from '../src/undici.js'

const start = process.hrtime.bigint()
/** ns since the tests began. */
export const now = (): number => Number(process.hrtime.bigint() - start)

export async function lean(options: { keepAliveSeconds?: number; dnsTtlSeconds?: number } = {}): Promise<Transport> {
  return http.create({ options: { keepAliveSeconds: 300, dnsTtlSeconds: 300, ...options }, now } as TransportContext<never>)
}
export async function byUndici(options: { http2?: boolean; environmentProxy?: boolean } = {}): Promise<Transport> {
  return undici.create({ options: { http2: false, environmentProxy: false, keepAliveSeconds: 300, ...options }, now } as TransportContext<never>)
}

/** Everything a sink was told of one request. */
export interface Outcome {
  phases: Partial<Record<Phase, number>>
  /** Names of the callbacks in order. */
  calls: string[]
  status: number | undefined
  headers: readonly string[]
  body: string
  reads: number
  endNs: number
  connection: ConnectionInfo | undefined
  failure: TransportFailure | undefined
}

const FIXED = ['User-Agent', 'test', 'Accept', 'text/event-stream'] as const

export function request(target: Target, extra: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { target, method: 'POST', path: '/v1/chat/completions', fixedHeaders: FIXED, headers: [], body: Buffer.from('{"a":1}'), connection: 'pooled', timeoutMs: 5000, ...extra }
}

/** Sends and waits for the end. `during` is called at each event with what was seen so far. */
export function exchange(transport: Transport, outgoing: OutgoingRequest, during: (event: string, sending: Sending | undefined, seen: Outcome) => void = () => {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const seen: Outcome = { phases: {}, calls: [], status: undefined, headers: [], body: '', reads: 0, endNs: 0, connection: undefined, failure: undefined }
    let over = false
    let sending: Sending | undefined
    const note = (event: string): void => {
      if (over) reject(new Error(`${event} after the end`))
      seen.calls.push(event)
      during(event, sending, seen)
    }
    const finish = (ns: number, connection: ConnectionInfo | undefined): void => {
      over = true
      seen.endNs = ns
      seen.connection = connection && { ...connection }
      resolve(seen)
    }
    const sink: ByteSink = {
      phase(phase, ns) { seen.phases[phase] = ns; note(phase) },
      head(status, headers) { seen.status = status; seen.headers = headers; note('head') },
      bytes(view) { seen.body += Buffer.from(view).toString('latin1'); seen.reads++; note('bytes') },
      end(ns, connection) { note('end'); finish(ns, connection) },
      fail(failure, ns, connection) { note('fail'); seen.failure = failure; finish(ns, connection) },
    }
    sending = transport.send(outgoing, sink)
  })
}
