import { answerHead, type Body, type BodyEnding, type BodyParts } from './body.js'

/** The body of an answer that is not streamed: one JSON text. */
export class WholeBody implements Body {
  ended: BodyEnding | undefined
  #json: string | undefined

  constructor(private readonly parts: BodyParts) {}

  head(): string {
    return answerHead(this.parts, this.parts.wire.wholeType ?? 'application/json', this.#text().length)
  }

  opening(): string {
    return ''
  }

  next(nowMs: number): string {
    const { answer, faults, sent } = this.parts
    this.ended = faults?.break ?? 'complete'
    sent(faults?.break || faults?.malformed ? 0 : answer.tokens, nowMs)
    const text = this.#text()
    // A broken-off body is shorter than its head has promised.
    return this.ended === 'complete' || this.ended === 'errorEvent' ? text : text.slice(0, text.length >> 1)
  }

  #text(): string {
    return (this.#json ??= this.#make())
  }

  #make(): string {
    const { wire, faults } = this.parts
    const json = faults?.break === 'errorEvent' ? wire.errorJson('the generation has failed') : wire.whole()
    return faults?.malformed ? json.slice(0, json.length >> 1) : json
  }
}
