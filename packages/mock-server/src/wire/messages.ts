import { answerText, partAt, type Answer, type Part } from '../answer/answer.js'
import { asciiJson } from '../http/response.js'
import { ANTHROPIC } from './errors.js'
import { flat } from './event-parts.js'
import { namedEvent, type TokenEvent, type Wire, type WireStyle } from './wire.js'

const PING = namedEvent('ping', '{"type":"ping"}')
/** What a signature looks like; it signs nothing. */
const SIGNATURE = 'bW9jayBzaWduYXR1cmU='
const REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const

/** Anthropic messages (https://docs.anthropic.com/en/api/messages-streaming): content in blocks, each started and stopped. */
export class MessagesWire implements Wire {
  readonly #open: string
  #block = -1

  constructor(
    private readonly answer: Answer,
    private readonly style: WireStyle,
  ) {
    this.#open = flat('{"id":"msg_', answer.id, '","type":"message","role":"assistant","model":', asciiJson(answer.model))
  }

  get early(): boolean {
    return this.style.roleChunk === 'early'
  }

  errorJson(message: string): string {
    return asciiJson(ANTHROPIC.body(500, message))
  }

  error(json: string): string {
    return namedEvent('error', json)
  }

  start(): string[] {
    return [namedEvent('message_start', `{"type":"message_start","message":${this.#open},"content":[],"stop_reason":null,"stop_sequence":null,"usage":${this.#usage(1)}}}`)]
  }

  tokens({ text, part, first, firstOfPart, last }: TokenEvent): string {
    let before = ''
    if (firstOfPart) {
      if (!first) before += this.#stop('reasoning')
      this.#block++
      before += this.#event('content_block_start', `"content_block":${this.#emptyBlock(part)}`)
      if (first) before += PING
    }
    return before + this.#event('content_block_delta', `"delta":${delta(text, part, firstOfPart, last)}`)
  }

  end(): string[] {
    const { tokens, finishReason } = this.answer
    const stop = `"delta":{"stop_reason":"${REASONS[finishReason]}","stop_sequence":null},"usage":{"output_tokens":${tokens}}`
    return [this.#stop(partAt(this.answer, tokens - 1)), namedEvent('message_delta', `{"type":"message_delta",${stop}}`), namedEvent('message_stop', '{"type":"message_stop"}')]
  }

  whole(): string {
    const { tokens, reasoningTokens, finishReason } = this.answer
    const blocks = []
    if (reasoningTokens > 0) blocks.push(`{"type":"thinking","thinking":"${answerText(this.answer, 0, reasoningTokens)}","signature":"${SIGNATURE}"}`)
    const said = answerText(this.answer, reasoningTokens, tokens - reasoningTokens)
    if (this.answer.tool !== undefined) blocks.push(`${this.#toolUse()},"input":{"text":"${said}"}}`)
    else if (said !== '') blocks.push(`{"type":"text","text":"${said}"}`)
    return `${this.#open},"content":[${blocks.join(',')}],"stop_reason":"${REASONS[finishReason]}","stop_sequence":null,"usage":${this.#usage(tokens)}}`
  }

  #event(type: string, fields: string): string {
    return namedEvent(type, `{"type":"${type}","index":${this.#block},${fields}}`)
  }

  /** The end of a block; thinking is signed before it. */
  #stop(part: Part): string {
    const signature = part === 'reasoning' ? this.#event('content_block_delta', `"delta":{"type":"signature_delta","signature":"${SIGNATURE}"}`) : ''
    return signature + namedEvent('content_block_stop', `{"type":"content_block_stop","index":${this.#block}}`)
  }

  #emptyBlock(part: Part): string {
    if (part === 'content') return '{"type":"text","text":""}'
    return part === 'reasoning' ? '{"type":"thinking","thinking":"","signature":""}' : `${this.#toolUse()},"input":{}}`
  }

  #toolUse(): string {
    return `{"type":"tool_use","id":"toolu_${this.answer.id}","name":${asciiJson(this.answer.tool)}`
  }

  /** Tokens read from the cache are none of the input tokens. */
  #usage(outputTokens: number): string {
    const { promptTokens, cachedTokens = 0 } = this.answer
    return `{"input_tokens":${promptTokens - cachedTokens},"cache_creation_input_tokens":0,"cache_read_input_tokens":${cachedTokens},"output_tokens":${outputTokens}}`
  }
}

function delta(text: string, part: Part, firstOfPart: boolean, last: boolean): string {
  if (part === 'content') return `{"type":"text_delta","text":"${text}"}`
  if (part === 'reasoning') return `{"type":"thinking_delta","thinking":"${text}"}`
  return `{"type":"input_json_delta","partial_json":"${firstOfPart ? '{\\"text\\":\\"' : ''}${text}${last ? '\\"}' : ''}"}`
}
