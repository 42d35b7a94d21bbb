import { rank } from '../answer/relevance.js'
import { AskError } from '../ask/ask.js'
import { Fields } from '../ask/fields.js'
import { passagesOf, queryOf } from '../ask/passages.js'
import { answerOnce, type Question } from '../drive/answer-once.js'
import { COHERE, HUGGING_FACE } from '../wire/errors.js'
import type { Route } from './route.js'

/** POST /v2/rerank: https://docs.cohere.com/reference/rerank */
export const rerank: Route = {
  method: 'POST',
  path: '/v2/rerank',
  handle: (exchange, context) => answerOnce(exchange, context, readCohere, COHERE),
}

/** POST /v1/rerank: as it was before, and as Jina and vLLM have it. */
export const rerankV1: Route = { ...rerank, path: '/v1/rerank' }

/** POST /rerank: https://huggingface.github.io/text-embeddings-inference */
export const teiRerank: Route = {
  method: 'POST',
  path: '/rerank',
  handle: (exchange, context) => answerOnce(exchange, context, readTei, HUGGING_FACE),
}

function readCohere(body: Buffer): Question {
  const fields = new Fields(body)
  const model = fields.string('model')
  if (model === undefined) throw new AskError('model: this field is required')
  const query = queryOf(fields)
  const documents = passagesOf(fields, 'documents')
  const results = rank(query, documents).slice(0, fields.integer('top_n', 1)).map(({ index, score }) => ({ index, relevance_score: score }))
  return {
    model,
    texts: [query, ...documents],
    answer: ({ id }) => ({ id: uuidOf(id), results, meta: { api_version: { version: '2' }, billed_units: { search_units: Math.ceil(documents.length / 100) } } }),
  }
}

function readTei(body: Buffer): Question {
  const fields = new Fields(body)
  const query = queryOf(fields)
  const texts = passagesOf(fields, 'texts')
  const withText = fields.flag('return_text')
  const ranks = rank(query, texts).map(({ index, score }) => (withText ? { index, text: texts[index], score } : { index, score }))
  return { model: '', texts: [query, ...texts], answer: () => ranks }
}

function uuidOf(id: string): string {
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13)}-8000-${id.slice(0, 12)}`
}
