import type { Answer } from '../answer/answer.js'
import { PNG_BASE64 } from '../answer/media.js'
import type { ImagesAsk } from '../ask/images.js'
import { asciiJson } from '../http/response.js'
import { namedEvent, openAiError, type TokenEvent, type Wire, type WireStyle } from './wire.js'

/** Tokens that an image of 1024 × 1024 in high quality counts for. */
const TOKENS_PER_IMAGE = 4160

/** OpenAI images (https://platform.openai.com/docs/api-reference/images-streaming): previews, then the image; or all at once. */
export class ImagesWire implements Wire {
  readonly early = false
  readonly errorJson = openAiError

  constructor(
    private readonly answer: Answer,
    _style: WireStyle,
    private readonly ask: ImagesAsk,
  ) {}

  error(json: string): string {
    return namedEvent('error', json)
  }

  start(): string[] {
    return []
  }

  tokens({ last, tokensSoFar }: TokenEvent): string {
    const type = `${this.ask.kind}.${last ? 'completed' : 'partial_image'}`
    const end = last ? { usage: this.#usage(1) } : { partial_image_index: tokensSoFar - 1 }
    return namedEvent(type, asciiJson({ type, b64_json: PNG_BASE64, created_at: this.answer.created, ...this.#looks, ...end }))
  }

  end(): string[] {
    return []
  }

  whole(): string {
    const { tokens, created, id } = this.answer
    const image = (_: unknown, index: number) => (this.ask.asUrl ? { url: `https://example.com/${id}-${index}.png` } : { b64_json: PNG_BASE64 })
    return asciiJson({ created, ...this.#looks, data: Array.from({ length: tokens }, image), usage: this.#usage(tokens) })
  }

  get #looks(): object {
    const { size, quality, format } = this.ask
    return { background: 'opaque', output_format: format, quality, size }
  }

  #usage(images: number): object {
    const { promptTokens } = this.answer
    const output = images * TOKENS_PER_IMAGE
    return { total_tokens: promptTokens + output, input_tokens: promptTokens, output_tokens: output, input_tokens_details: { text_tokens: promptTokens, image_tokens: 0 } }
  }
}
