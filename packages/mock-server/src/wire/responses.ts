import { answerText, type Answer, type Part } from '../answer/answer.js'
import type { ResponsesAsk } from '../ask/responses.js'
import { asciiJson } from '../http/response.js'
import { ResponseItem } from './response-item.js'
import { namedEvent, openAiError, type TokenEvent, type Wire, type WireStyle } from './wire.js'

/** OpenAI Responses (https://platform.openai.com/docs/api-reference/responses-streaming): items, each added and done. */
export class ResponsesWire implements Wire {
  #sequence = 0
  #item: ResponseItem | undefined
  readonly #done: ResponseItem[] = []

  constructor(
    private readonly answer: Answer,
    private readonly style: WireStyle,
    private readonly ask: ResponsesAsk,
  ) {}

  get early(): boolean {
    return this.style.roleChunk === 'early'
  }

  errorJson(message: string): string {
    if (!this.answer.stream) return openAiError(message)
    return asciiJson({ type: 'error', code: 'server_error', message, param: null, sequence_number: this.#sequence })
  }

  error(json: string): string {
    return namedEvent('error', json)
  }

  start(): string[] {
    const response = `"response":${this.#response('in_progress')}`
    return [this.#event('response.created', response), this.#event('response.in_progress', response)]
  }

  tokens({ text, part, firstOfPart, last }: TokenEvent): string {
    const before = firstOfPart ? this.#finishItem() + this.#startItem(part) : ''
    return before + this.#eventsOf([this.#item!.delta(text, last)])
  }

  end(): string[] {
    const { finishReason } = this.answer
    const status = finishReason === 'length' ? 'incomplete' : 'completed'
    return [this.#finishItem(), this.#event(`response.${status}`, `"response":${this.#response(status)}`)]
  }

  whole(): string {
    const { reasoningTokens, tokens, tool } = this.answer
    if (reasoningTokens > 0) this.#done.push(this.#itemOf('reasoning'))
    if (reasoningTokens < tokens) this.#done.push(this.#itemOf(tool === undefined ? 'content' : 'tool'))
    return this.#response(this.answer.finishReason === 'length' ? 'incomplete' : 'completed')
  }

  #startItem(part: Part): string {
    this.#item = this.#itemOf(part)
    return this.#eventsOf(this.#item.added())
  }

  #finishItem(): string {
    if (!this.#item) return ''
    this.#done.push(this.#item)
    return this.#eventsOf(this.#item.done())
  }

  #itemOf(part: Part): ResponseItem {
    const { reasoningTokens, tokens } = this.answer
    const text = part === 'reasoning' ? answerText(this.answer, 0, reasoningTokens) : answerText(this.answer, reasoningTokens, tokens - reasoningTokens)
    return new ResponseItem(this.answer, part, this.#done.length, text)
  }

  #eventsOf(events: readonly (readonly [type: string, fields: string])[]): string {
    return events.map(([type, fields]) => this.#event(type, fields)).join('')
  }

  #event(type: string, fields: string): string {
    return namedEvent(type, `{"type":"${type}","sequence_number":${this.#sequence++},${fields}}`)
  }

  #response(status: 'in_progress' | 'completed' | 'incomplete'): string {
    const { id, created, model } = this.answer
    const { maxTokens = null, previousId, store } = this.ask
    const incomplete = status === 'incomplete' ? '{"reason":"max_output_tokens"}' : 'null'
    return (
      `{"id":"resp_${id}","object":"response","created_at":${created},"status":"${status}","error":null,"incomplete_details":${incomplete},` +
      `"instructions":null,"max_output_tokens":${maxTokens},"model":${asciiJson(model)},"output":[${this.#done.map((item) => item.json()).join(',')}],` +
      `"parallel_tool_calls":true,"previous_response_id":${asciiJson(previousId ?? null)},"reasoning":{"effort":null,"summary":null},"store":${store},` +
      `"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1,"truncation":"disabled",` +
      `"usage":${status === 'in_progress' ? 'null' : this.#usage()},"metadata":{}}`
    )
  }

  #usage(): string {
    const { promptTokens, cachedTokens = 0, tokens, reasoningTokens } = this.answer
    return (
      `{"input_tokens":${promptTokens},"input_tokens_details":{"cached_tokens":${cachedTokens}},"output_tokens":${tokens},` +
      `"output_tokens_details":{"reasoning_tokens":${reasoningTokens}},"total_tokens":${promptTokens + tokens}}`
    )
  }
}
