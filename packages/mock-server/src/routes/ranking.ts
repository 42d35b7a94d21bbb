import { rank } from '../answer/relevance.js'
import { Fields } from '../ask/fields.js'
import { passagesOf, queryOf } from '../ask/passages.js'
import { answerOnce, type Question } from '../drive/answer-once.js'
import type { Route } from './route.js'

/** POST /v1/ranking: https://docs.nvidia.com/nim/nemo-retriever/text-reranking. Scores are logits. */
export const ranking: Route = {
  method: 'POST',
  path: '/v1/ranking',
  handle: (exchange, context) => answerOnce(exchange, context, read),
}

function read(body: Buffer): Question {
  const fields = new Fields(body)
  const query = queryOf(fields)
  const passages = passagesOf(fields, 'passages')
  const rankings = rank(query, passages).map(({ index, score }) => ({ index, logit: Number((40 * score - 20).toFixed(6)) }))
  return {
    model: fields.string('model') ?? '',
    texts: [query, ...passages],
    answer: ({ promptTokens }) => ({ rankings, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  }
}
