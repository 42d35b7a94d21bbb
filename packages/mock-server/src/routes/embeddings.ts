import { AskError } from '../ask/ask.js'
import { Fields } from '../ask/fields.js'
import type { ServerContext } from '../context.js'
import { fail } from '../drive/answer-request.js'
import { sendLater } from '../drive/later.js'
import type { Exchange } from '../http/exchange.js'
import type { Route } from './route.js'
import type { TruthEntry } from '../truth/entry.js'

/** POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings. Answers after the time to first token. */
export const embeddings: Route = {
  method: 'POST',
  path: '/v1/embeddings',
  handle(exchange, context) {
    const entry = context.ledger.begin(exchange)
    try {
      embed(exchange, context, entry)
    } catch (error) {
      if (!(error instanceof AskError)) {
        context.ledger.end(entry, 'error', 500)
        throw error
      }
      fail(exchange, context, entry, 400, error.message)
    }
  },
}

function embed(exchange: Exchange, context: ServerContext, entry: TruthEntry): void {
  const fields = new Fields(exchange.request.body)
  const inputs = inputsOf(fields.required('input'))
  const model = fields.string('model') || context.options.models[0]!
  const faults = context.faults(entry.ordinal)
  if (faults) entry.faults = faults.names
  if (faults?.status) return fail(exchange, context, entry, faults.status, 'an injected error')
  const ask = { ...fields.common(), stream: false, promptChars: inputs.join('').length, prompt: { texts: inputs, whole: inputs.join('') } }
  context.ledger.asked(entry, ask)
  entry.promptTokens = context.planner.promptTokens(ask)
  const usage = { prompt_tokens: entry.promptTokens, total_tokens: entry.promptTokens }
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: vector(index, context.options.embeddingDimensions) }))
  sendLater(exchange, context, entry, { object: 'list', data, model, usage })
}

function inputsOf(input: unknown): string[] {
  const items = Array.isArray(input) && !input.every((item) => typeof item === 'number') ? (input as unknown[]) : [input]
  if (items.length === 0) throw new AskError('input: must not be empty')
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
}

/** Some unit vector; which one does not matter. */
function vector(index: number, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, at) => Math.sin(1 + index + at))
  const length = Math.hypot(...raw)
  return raw.map((value) => Number((value / length).toFixed(6)))
}
