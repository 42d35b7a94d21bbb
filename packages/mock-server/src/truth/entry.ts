import type { Exchange } from '../http/exchange.js'
import type { Ending, RareFacts, TruthFacts } from './record.js'
import { NO_TIMES, reserveTimes, type SendTimes } from './send-times.js'

const NO_FAULTS: readonly string[] = []

/** Where the record is kept once the request has ended. */
export interface Keeper {
  pack(row: number, entry: TruthEntry): void
}

/** A truth record in the making: what is known of a request that is being answered. */
export class TruthEntry implements TruthFacts {
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
  rare: RareFacts | undefined
  status = 200
  tokensPlanned = 0
  tokens = 0
  events = 0
  ending: Ending = 'open'
  finishReason = ''
  endMs = 0
  faults = NO_FAULTS
  times: SendTimes = NO_TIMES
  keeper: Keeper | undefined
  row = 0

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
    this.times = reserveTimes(events)
  }

  /** An event with `tokens` tokens is handed to the socket now. */
  sent(tokens: number, atMs: number): void {
    this.times.us[this.times.from + this.events++] = (atMs - this.arrivalMs) * 1e3 + 0.5
    this.tokens += tokens
  }

  get sentUs(): Uint32Array {
    return this.times.us.slice(this.times.from, this.times.from + this.events)
  }
}
