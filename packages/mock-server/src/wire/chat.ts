import { answerText, type Answer } from '../answer/answer.js'
import { eventMiddle, flat } from './event-parts.js'
import { ToolCall } from './tool-call.js'
import { usageJson } from './usage.js'
import { dataEvent, DONE, openAiError, type TokenEvent, type Wire, type WireStyle } from './wire.js'

/** Chat completions: `chat.completion.chunk` events, or one `chat.completion`. */
export class ChatWire implements Wire {
  readonly errorJson = openAiError
  readonly error = dataEvent
  readonly #head: string
  readonly #delta: string
  readonly #tool: ToolCall | undefined

  constructor(
    private readonly answer: Answer,
    private readonly style: WireStyle,
  ) {
    this.#head = flat('data: {"id":"chatcmpl-', answer.id, eventMiddle(answer, 'chat.completion.chunk'))
    this.#delta = flat(this.#head, '{"index":0,"delta":{')
    this.#tool = answer.tool === undefined ? undefined : new ToolCall(answer.tool, answer.id)
  }

  get early(): boolean {
    return this.style.roleChunk === 'early'
  }

  start(): string[] {
    const { roleChunk } = this.style
    if (roleChunk !== 'separate' && roleChunk !== 'early') return []
    return [`${this.#delta}"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}\n\n`]
  }

  tokens(event: TokenEvent): string {
    if (event.part === 'content' && !event.first && !event.last && !this.answer.usageInEveryChunk) {
      return `${this.#delta}"content":"${event.text}"},"logprobs":null,"finish_reason":null}]}\n\n`
    }
    const role = event.first && this.style.roleChunk === 'merged' ? '"role":"assistant",' : ''
    const finish = event.last && this.style.finishChunk === 'merged' ? `"${this.answer.finishReason}"` : 'null'
    let usage = this.answer.usageInEveryChunk ? `,"usage":${usageJson(this.answer, event.tokensSoFar)}` : ''
    if (usage === '' && finish !== 'null' && this.#usageMerged) usage = `,"usage":${usageJson(this.answer, event.tokensSoFar)}`
    return `${this.#delta}${role}${this.#fragment(event)}},"logprobs":null,"finish_reason":${finish}}]${usage}}\n\n`
  }

  #fragment({ text, part, firstOfPart, last }: TokenEvent): string {
    if (part === 'content') return `"content":"${text}"`
    if (part === 'reasoning') return `"reasoning_content":"${text}"`
    return `"tool_calls":[${this.#tool!.delta(text, firstOfPart, last)}]`
  }

  get #usageMerged(): boolean {
    return this.answer.usage && this.style.usageChunk === 'merged'
  }

  end(): string[] {
    const events: string[] = []
    const usage = this.answer.usage ? `,"usage":${usageJson(this.answer, this.answer.tokens)}` : ''
    if (this.style.finishChunk === 'separate') {
      events.push(`${this.#delta}},"logprobs":null,"finish_reason":"${this.answer.finishReason}"}]${this.#usageMerged ? usage : ''}}\n\n`)
    }
    if (usage !== '' && !this.#usageMerged) events.push(`${this.#head}]${usage}}\n\n`)
    if (this.style.done) events.push(DONE)
    return events
  }

  whole(): string {
    const { answer } = this
    const text = answerText(answer, answer.reasoningTokens, answer.tokens - answer.reasoningTokens)
    const reasoning = answer.reasoningTokens === 0 ? '' : `,"reasoning_content":"${answerText(answer, 0, answer.reasoningTokens)}"`
    const said = this.#tool ? `"content":null${reasoning},"tool_calls":[${this.#tool.whole(text)}]` : `"content":"${text}"${reasoning}`
    const usage = answer.usage ? `,"usage":${usageJson(answer, answer.tokens)}` : ''
    return (
      `{"id":"chatcmpl-${answer.id}${eventMiddle(answer, 'chat.completion')}{"index":0,"message":{"role":"assistant",${said}},` +
      `"logprobs":null,"finish_reason":"${answer.finishReason}"}]${usage}}`
    )
  }
}
