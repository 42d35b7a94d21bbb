import type { ClockAnchor } from '../timing/clock.js'
import { unixNsAt } from '../timing/clock.js'

/**
 * How a request ended. `complete`: answered to the end. `error`: answered by an error status. `cut`, `reset`,
 * `truncate`, `errorEvent`: broken off by that fault. `gone`: the client went away. `open`: not ended yet.
 */
export type Ending = 'open' | 'complete' | 'error' | 'cut' | 'reset' | 'truncate' | 'errorEvent' | 'gone'

/** What really happened to one request, as the server saw it. */
export interface TruthRecord {
  /** Number of the request since the start or the last reset, from 0. Draws from the seed go by it. */
  ordinal: number
  /** The `x-request-id` header, or ''. */
  requestId: string
  /** The `x-correlation-id` header, or ''. */
  correlationId: string
  path: string
  /** The model asked for, or ''. */
  model: string
  /** Number of the TCP connection since the start, from 0. */
  connection: number
  /** How many requests came before it on its connection. */
  onConnection: number
  /** When all of the request had been read: nanoseconds since 1970, in decimal (too large for a number). */
  arrivalUnixNs: string
  /** How long before the arrival the request's head had been read, in µs. */
  headBeforeUs: number
  /** Other requests in flight at the arrival. */
  inFlight: number
  stream: boolean
  /** Characters of the prompt's text (where the JSON was only scanned: bytes of its escaped form). */
  promptChars: number
  promptTokens: number
  /** Prompt tokens found in the prefix cache. */
  cachedTokens: number
  /** With `promptHash`: the first 16 hexadecimal digits of the SHA-1 of the prompt's text. */
  promptHash?: string
  /** With `captureRequests`. */
  headers?: Record<string, string>
  /** With `captureRequests`: the body as text. */
  body?: string
  status: number
  /** Tokens planned, and tokens handed to the socket. */
  tokensPlanned: number
  tokens: number
  /**
   * When each event that carries tokens was handed to the socket, in µs after the arrival (a whole body: one time).
   * A JSON line has a plain array.
   */
  sentUs: Uint32Array
  ending: Ending
  /** `stop`, `length`, `tool_calls`, or '' where none was sent. */
  finishReason: string
  /** When the response ended, in µs after the arrival. */
  endUs: number
  /** Names of the faults drawn for it. */
  faults: readonly string[]
}

/** What a record is made of, in the server's own terms. */
export interface TruthFacts extends Omit<TruthRecord, 'arrivalUnixNs' | 'endUs' | 'promptHash' | 'headers' | 'body'> {
  /** Of the monotonic clock. */
  readonly arrivalMs: number
  readonly endMs: number
  readonly rare: RareFacts | undefined
}

/** Facts that are only kept where an option asks for them. */
export type RareFacts = Pick<TruthRecord, 'promptHash' | 'headers' | 'body'>

export function recordOf(facts: TruthFacts, anchor: ClockAnchor): TruthRecord {
  return {
    ordinal: facts.ordinal,
    requestId: facts.requestId,
    correlationId: facts.correlationId,
    path: facts.path,
    model: facts.model,
    connection: facts.connection,
    onConnection: facts.onConnection,
    arrivalUnixNs: unixNsAt(anchor, facts.arrivalMs),
    headBeforeUs: facts.headBeforeUs,
    inFlight: facts.inFlight,
    stream: facts.stream,
    promptChars: facts.promptChars,
    promptTokens: facts.promptTokens,
    cachedTokens: facts.cachedTokens,
    ...facts.rare,
    status: facts.status,
    tokensPlanned: facts.tokensPlanned,
    tokens: facts.tokens,
    sentUs: facts.sentUs,
    ending: facts.ending,
    finishReason: facts.finishReason,
    endUs: facts.ending === 'open' ? 0 : Math.round((facts.endMs - facts.arrivalMs) * 1e3),
    faults: facts.faults,
  }
}

/** A record as a line of JSON. */
export function truthLine(record: TruthRecord): string {
  return `${JSON.stringify({ ...record, sentUs: Array.from(record.sentUs) })}\n`
}
