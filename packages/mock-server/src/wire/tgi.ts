import { answerText, type Answer } from '../answer/answer.js'
import type { TgiAsk } from '../ask/tgi.js'
import { asciiJson } from '../http/response.js'
import { HUGGING_FACE } from './errors.js'
import type { TokenEvent, Wire, WireStyle } from './wire.js'

const REASONS = { stop: 'eos_token', length: 'length', tool_calls: 'eos_token' } as const

/**
 * Text Generation Inference (https://huggingface.github.io/text-generation-inference): an event per token, the last one
 * with the whole text. There is no reasoning apart and no end mark.
 */
export class TgiWire implements Wire {
  readonly early = false

  constructor(
    private readonly answer: Answer,
    _style: WireStyle,
    private readonly ask: TgiAsk,
  ) {}

  errorJson(message: string): string {
    return asciiJson(HUGGING_FACE.body(500, message))
  }

  error(json: string): string {
    return event(json)
  }

  start(): string[] {
    return []
  }

  tokens({ text, last, tokensSoFar }: TokenEvent): string {
    const end = last ? `"generated_text":"${this.#text}","details":${this.ask.details ? `{${this.#details},"input_length":${this.answer.promptTokens}}` : 'null'}` : '"generated_text":null,"details":null'
    return event(`{"index":${tokensSoFar},"token":${token(this.answer, tokensSoFar, text)},${end}}`)
  }

  end(): string[] {
    return []
  }

  whole(): string {
    const { answer } = this
    const tokens = () => Array.from({ length: answer.tokens }, (_, at) => token(answer, at + 1, answerText(answer, at, 1))).join(',')
    const details = this.ask.details ? `,"details":{${this.#details},"prefill":[],"tokens":[${tokens()}]}` : ''
    return `{"generated_text":"${this.#text}"${details}}`
  }

  get #text(): string {
    return answerText(this.answer, 0, this.answer.tokens)
  }

  get #details(): string {
    return `"finish_reason":"${REASONS[this.answer.finishReason]}","generated_tokens":${this.answer.tokens},"seed":null`
  }
}

function token(answer: Answer, ordinal: number, text: string): string {
  return `{"id":${answer.firstWord + ordinal},"text":"${text}","logprob":-0.5,"special":false}`
}

/** The server leaves out the space after the colon. */
function event(json: string): string {
  return `data:${json}\n\n`
}
