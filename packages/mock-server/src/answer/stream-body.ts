import { chunk, LAST_CHUNK } from '../http/response.js'
import { DONE } from '../wire/wire.js'
import { answerText, partAt, tokensInEvent } from './answer.js'
import { answerHead, tokenAt, type Body, type BodyEnding, type BodyParts } from './body.js'

const DONE_CHUNK = chunk(DONE)
const COMMENT = ': keep-alive\n'

/** The body of a streamed answer: one chunk of the chunked encoding per event. */
export class StreamBody implements Body {
  ended: BodyEnding | undefined
  #token = 0

  constructor(private readonly parts: BodyParts) {}

  head(): string {
    const framing = this.parts.exchange.canChunk ? 'chunked' : 'until-close'
    return answerHead(this.parts, 'text/event-stream; charset=utf-8', framing, '\r\ncache-control: no-cache')
  }

  opening(): string {
    return this.#frames(this.parts.wire.start())
  }

  next(nowMs: number): string {
    const { answer, faults, sent } = this.parts
    const from = this.#token
    const size = tokensInEvent(answer, from)
    this.#token += size
    const event = this.#event(from, size)
    const at = faults?.malformed ? tokenAt(faults.malformedAt, answer.tokens) : 0
    const broken = from < at && at <= this.#token
    sent(broken ? 0 : size, nowMs)
    const bytes = this.#frame(broken ? `${event.slice(0, event.length >> 1)}\n\n` : event)
    if (faults?.break && this.#token >= tokenAt(faults.breakAt, answer.tokens)) return bytes + this.#breakOff(faults.break)
    if (this.#token < answer.tokens) return bytes
    this.ended = 'complete'
    return bytes + this.#frames(this.parts.wire.end()) + this.#last
  }

  #event(from: number, size: number): string {
    const { answer, wire } = this.parts
    const part = partAt(answer, from)
    const tokensSoFar = from + size
    return wire.tokens({
      text: answerText(answer, from, size),
      part,
      first: from === 0,
      last: tokensSoFar === answer.tokens,
      firstOfPart: from === 0 || from === answer.reasoningTokens,
      tokensSoFar,
    })
  }

  get #last(): string {
    return this.parts.exchange.canChunk ? LAST_CHUNK : ''
  }

  #breakOff(how: BodyEnding): string {
    this.ended = how
    if (how === 'cut') return this.#last
    if (how === 'reset') return ''
    if (how === 'errorEvent') return this.#frame(this.parts.wire.error(this.parts.wire.errorJson('the generation has failed'))) + this.#last
    const { answer } = this.parts
    const next = this.#token < answer.tokens ? this.#event(this.#token, tokensInEvent(answer, this.#token)) : this.parts.wire.error(this.parts.wire.errorJson(''))
    const frame = this.#frame(next)
    return frame.slice(0, frame.length >> 1)
  }

  #frames(events: readonly string[]): string {
    let bytes = ''
    for (const event of events) bytes += this.#frame(event)
    return bytes
  }

  #frame(event: string): string {
    const { exchange, faults } = this.parts
    if (event === DONE && exchange.canChunk && !faults) return DONE_CHUNK
    const shaped = faults ? shape(event, faults.comments, faults.crlf) : event
    return exchange.canChunk ? chunk(shaped) : shaped
  }
}

function shape(event: string, comments: boolean, crlf: boolean): string {
  const commented = comments ? `${COMMENT}\n${COMMENT}${event}` : event
  return crlf ? commented.replaceAll('\n', '\r\n') : commented
}
