import type { ClockAnchor } from '../timing/clock.js'
import { unixNsAt } from '../timing/clock.js'
import type { Exchange } from '../http/exchange.js'
import { reserveTimes, type SendTimes } from './send-times.js'

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

/** A truth record in the making. */
export class TruthEntry {
  readonly requestId: string
  readonly correlationId: string
  readonly path: string
  readonly connection: number
  readonly onConnection: number
  readonly arrivalMs: number
  readonly headBeforeUs: number
  model = ''
  stream = false
  promptChars = 0
  promptTokens = 0
  cachedTokens = 0
  promptHash: string | undefined
  captured: Pick<TruthRecord, 'headers' | 'body'> | undefined
  status = 200
  tokensPlanned = 0
  tokens = 0
  events = 0
  ending: Ending = 'open'
  finishReason = ''
  endMs = 0
  faults: readonly string[] = NONE
  #times: SendTimes = EMPTY_TIMES

  constructor(
    readonly ordinal: number,
    readonly inFlight: number,
    exchange: Exchange,
  ) {
    const { request } = exchange
    this.requestId = request.header('x-request-id') ?? ''
    this.correlationId = request.header('x-correlation-id') ?? ''
    this.path = request.path
    this.connection = exchange.connection.ordinal
    this.onConnection = exchange.onConnection
    this.arrivalMs = exchange.arrivalMs
    this.headBeforeUs = Math.round((exchange.arrivalMs - exchange.headMs) * 1e3)
  }

  /** Makes room for the send times of that many events. */
  plan(tokens: number, events: number): void {
    this.tokensPlanned = tokens
    this.#times = reserveTimes(events)
  }

  /** An event with `tokens` tokens is handed to the socket now. */
  sent(tokens: number, atMs: number): void {
    this.#times.us[this.#times.from + this.events++] = (atMs - this.arrivalMs) * 1e3 + 0.5
    this.tokens += tokens
  }

  /** When the first event was sent, in ms after the arrival; undefined before. */
  get firstSentMs(): number | undefined {
    return this.events === 0 ? undefined : this.#times.us[this.#times.from]! / 1e3
  }

  record(anchor: ClockAnchor): TruthRecord {
    return {
      ordinal: this.ordinal,
      requestId: this.requestId,
      correlationId: this.correlationId,
      path: this.path,
      model: this.model,
      connection: this.connection,
      onConnection: this.onConnection,
      arrivalUnixNs: unixNsAt(anchor, this.arrivalMs),
      headBeforeUs: this.headBeforeUs,
      inFlight: this.inFlight,
      stream: this.stream,
      promptChars: this.promptChars,
      promptTokens: this.promptTokens,
      cachedTokens: this.cachedTokens,
      ...(this.promptHash === undefined ? {} : { promptHash: this.promptHash }),
      ...this.captured,
      status: this.status,
      tokensPlanned: this.tokensPlanned,
      tokens: this.tokens,
      sentUs: this.#times.us.slice(this.#times.from, this.#times.from + this.events),
      ending: this.ending,
      finishReason: this.finishReason,
      endUs: this.ending === 'open' ? 0 : Math.round((this.endMs - this.arrivalMs) * 1e3),
      faults: this.faults,
    }
  }
}

const NONE: readonly string[] = []
const EMPTY_TIMES: SendTimes = { us: new Uint32Array(0), from: 0 }

/** A record as a line of JSON. */
export function truthLine(record: TruthRecord): string {
  return `${JSON.stringify({ ...record, sentUs: Array.from(record.sentUs) })}\n`
}
