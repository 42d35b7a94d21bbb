import { answerText, type Answer } from '../answer/answer.js'
import { dataEvent, openAiError, type TokenEvent, type Wire } from './wire.js'

const SOURCES = '[{"title":"A document","url":"https://example.com/document"}]'

/** Answers from retrieved documents: pieces of `content`, then the `sources`. There is no end mark and no usage. */
export class SolidoWire implements Wire {
  readonly early = false
  readonly errorJson = openAiError
  readonly error = dataEvent

  constructor(private readonly answer: Answer) {}

  start(): string[] {
    return []
  }

  tokens({ text }: TokenEvent): string {
    return dataEvent(`{"content":"${text}"}`)
  }

  end(): string[] {
    return [dataEvent(`{"sources":${SOURCES}}`)]
  }

  whole(): string {
    return `{"content":"${answerText(this.answer, 0, this.answer.tokens)}","sources":${SOURCES}}`
  }
}
