import { answerText, type Answer } from '../answer/answer.js'
import { eventMiddle, flat } from './event-parts.js'
import { usageJson } from './usage.js'
import { dataEvent, DONE, openAiError, type TokenEvent, type Wire, type WireStyle } from './wire.js'

/** Text completions: `text_completion` objects, whole or in events. There is no role and no reasoning apart. */
export class CompletionWire implements Wire {
  readonly errorJson = openAiError
  readonly error = dataEvent
  readonly early = false
  readonly #head: string

  constructor(
    private readonly answer: Answer,
    private readonly style: WireStyle,
  ) {
    this.#head = flat('{"id":"cmpl-', answer.id, eventMiddle(answer, 'text_completion'))
  }

  start(): string[] {
    return []
  }

  tokens(event: TokenEvent): string {
    const finish = event.last && this.style.finishChunk === 'merged'
    const usage = this.answer.usageInEveryChunk || (finish && this.#usageMerged) ? `,"usage":${usageJson(this.answer, event.tokensSoFar)}` : ''
    return `data: ${this.#head}${choice(event.text, finish ? this.answer.finishReason : undefined)}]${usage}}\n\n`
  }

  get #usageMerged(): boolean {
    return this.answer.usage && this.style.usageChunk === 'merged'
  }

  end(): string[] {
    const events: string[] = []
    const usage = this.answer.usage ? `,"usage":${usageJson(this.answer, this.answer.tokens)}` : ''
    if (this.style.finishChunk === 'separate') {
      events.push(`data: ${this.#head}${choice('', this.answer.finishReason)}]${this.#usageMerged ? usage : ''}}\n\n`)
    }
    if (usage !== '' && !this.#usageMerged) events.push(`data: ${this.#head}]${usage}}\n\n`)
    if (this.style.done) events.push(DONE)
    return events
  }

  whole(): string {
    const { answer } = this
    const usage = answer.usage ? `,"usage":${usageJson(answer, answer.tokens)}` : ''
    return `${this.#head}${choice(answerText(answer, 0, answer.tokens), answer.finishReason)}]${usage}}`
  }
}

function choice(text: string, finishReason: string | undefined): string {
  return `{"index":0,"text":"${text}","logprobs":null,"finish_reason":${finishReason === undefined ? 'null' : `"${finishReason}"`}}`
}
