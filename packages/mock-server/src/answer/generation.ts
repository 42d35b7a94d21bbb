import type { FaultPlan } from '../faults/plan.js'
import type { Exchange } from '../http/exchange.js'
import type { TruthEntry } from '../truth/entry.js'
import type { Ledger } from '../truth/ledger.js'
import type { Wire } from '../wire/wire.js'
import { tokensInEvent, type Answer } from './answer.js'
import { tokenAt, type Body, type BodyEnding } from './body.js'
import { StreamBody } from './stream-body.js'
import { WholeBody } from './whole-body.js'

/**
 * An answer on its way out: knows what the next bytes are, but not when. Whoever drives it pulls event by event, writes
 * what was pulled, and then waits at least `takeDelay()` before pulling again.
 */
export class Generation {
  /** Tokens pulled. */
  token = 0
  /** Nothing more is to be pulled: the last bytes have been, or the client has gone. */
  over = false
  readonly #body: Body
  #headPulled = false
  #openingPulled = false
  /** The second half of a head that comes in two parts, once the first has been pulled. */
  #halfHead: string | undefined
  #delayMs = 0

  constructor(
    readonly exchange: Exchange,
    readonly answer: Answer,
    wire: Wire,
    readonly entry: TruthEntry,
    private readonly ledger: Ledger,
    private readonly faults: FaultPlan | undefined,
  ) {
    const sent = (tokens: number, nowMs: number) => ledger.sent(entry, tokens, nowMs)
    const parts = { exchange, answer, wire, faults, sent }
    if (answer.stream && !exchange.canChunk) exchange.request.keepAlive = false
    this.#body = answer.stream ? new StreamBody(parts) : new WholeBody(parts)
    exchange.split = faults?.split ?? false
    exchange.onGone = () => this.#close('gone')
  }

  /** How many tokens there must be for the next pull. */
  get tokensForNext(): number {
    return this.answer.stream ? tokensInEvent(this.answer, this.token) : this.answer.tokens
  }

  /** Whether a fault makes it pause, so that it cannot be pulled in one go. */
  get pauses(): boolean {
    return this.faults !== undefined && (this.faults.stallMs > 0 || this.faults.slowHeadersMs > 0)
  }

  /** Sends the head and what can be sent before the first token. */
  open(): void {
    this.exchange.write(this.#pullHead() + this.#pullOpening())
  }

  /** Sends text of its own between two events, or before the first: a comment. */
  interject(text: string): void {
    if (!this.over) this.exchange.write(this.#pullHead() + text)
  }

  /** The next bytes to write. */
  pull(nowMs: number): string {
    if (this.faults && this.faults.slowHeadersMs > 0 && !this.#headPulled && this.#halfHead === undefined) return this.#pullHalfHead()
    const opening = this.#pullHead() + this.#pullOpening()
    const before = this.token
    this.token += this.tokensForNext
    const bytes = this.#body.next(nowMs)
    if (this.faults && this.faults.stallMs > 0 && this.#passes(before, this.faults.stallAt)) this.#delayMs = this.faults.stallMs
    if (this.#body.ended !== undefined) this.over = true
    return opening + bytes
  }

  /** The pause that a fault asks for after what was pulled, in ms. */
  takeDelay(): number {
    const delayMs = this.#delayMs
    this.#delayMs = 0
    return delayMs
  }

  /** Writes pulled bytes, and ends the response where they were its last. */
  write(bytes: string): void {
    const { exchange } = this
    exchange.write(bytes)
    const { ended } = this.#body
    if (ended === undefined) return
    // Ended first: what follows on the connection may begin at once.
    this.#close(ended)
    if (ended === 'reset') exchange.reset()
    else exchange.finish(exchange.request.keepAlive && !this.faults?.drop && this.#isWellFormed(ended))
  }

  #isWellFormed(ended: BodyEnding): boolean {
    return ended === 'complete' || ended === 'errorEvent' || (ended === 'cut' && this.answer.stream)
  }

  #close(ending: 'gone' | BodyEnding): void {
    this.over = true
    if (ending === 'complete') this.entry.finishReason = this.answer.finishReason
    this.ledger.end(this.entry, ending)
  }

  #passes(before: number, share: number): boolean {
    const at = tokenAt(share, this.answer.tokens)
    return before < at && at <= this.token
  }

  #pullHalfHead(): string {
    const head = this.#body.head()
    this.#halfHead = head.slice(head.length >> 1)
    this.#delayMs = this.faults!.slowHeadersMs
    return head.slice(0, head.length >> 1)
  }

  #pullHead(): string {
    if (this.#headPulled) return ''
    this.#headPulled = true
    return this.#halfHead ?? this.#body.head()
  }

  #pullOpening(): string {
    if (this.#openingPulled) return ''
    this.#openingPulled = true
    return this.#body.opening()
  }
}
