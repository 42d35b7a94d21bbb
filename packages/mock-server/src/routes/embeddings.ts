import { AskError } from '../ask/ask.js'
import { chatPrompt } from '../ask/chat.js'
import { Fields } from '../ask/fields.js'
import { answerOnce, type Question } from '../drive/answer-once.js'
import type { Route } from './route.js'

/**
 * POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings. As with vLLM, `messages` may stand in
 * the place of `input`: a conversation has one embedding.
 */
export const embeddings: Route = {
  method: 'POST',
  path: '/v1/embeddings',
  handle: (exchange, context) => answerOnce(exchange, context, (body) => read(body, context.options.embeddingDimensions)),
}

function read(body: Buffer, standardDimensions: number): Question {
  const fields = new Fields(body)
  const inputs = fields.get('messages') === undefined ? inputsOf(fields.required('input')) : [chatPrompt(fields.get('messages')).texts.join('')]
  const dimensions = fields.integer('dimensions', 1) ?? standardDimensions
  const encode = encoderFor(fields.string('encoding_format') ?? 'float')
  return {
    model: fields.string('model') ?? '',
    texts: inputs,
    answer: ({ model, promptTokens }) => ({
      object: 'list',
      data: inputs.map((_, index) => ({ object: 'embedding', index, embedding: encode(vector(index, dimensions)) })),
      model,
      usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    }),
  }
}

function inputsOf(input: unknown): string[] {
  const items = Array.isArray(input) && !input.every((item) => typeof item === 'number') ? (input as unknown[]) : [input]
  if (items.length === 0) throw new AskError('input: must not be empty')
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
}

function encoderFor(format: string): (vector: number[]) => number[] | string {
  if (format === 'float') return (vector) => vector
  // Little-endian 32-bit floats.
  if (format === 'base64') return (vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
  throw new AskError('encoding_format: must be float or base64')
}

/** Some unit vector; which one does not matter. */
function vector(index: number, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, at) => Math.sin(1 + index + at))
  const length = Math.hypot(...raw)
  return raw.map((value) => Number((value / length).toFixed(6)))
}
