import { contentOf, type Answer } from '../answer/answer.js'
import { readResponses, type ResponsesAsk } from '../ask/responses.js'
import type { ServerContext } from '../context.js'
import { answerRequest } from '../drive/answer-request.js'
import { ResponsesWire } from '../wire/responses.js'
import type { Route } from './route.js'

/**
 * POST /v1/responses: https://platform.openai.com/docs/api-reference/responses. Answers are kept, but where `store` is
 * false, for a request that continues from one by `previous_response_id`: what came before counts as its prompt.
 */
export const responses: Route = {
  method: 'POST',
  path: '/v1/responses',
  handle: (exchange, context) =>
    answerRequest(exchange, context, (body) => readResponses(body, context.conversations), (answer, style, ask) => {
      if (ask.store) remember(answer, ask, context)
      return new ResponsesWire(answer, style, ask)
    }),
}

function remember(answer: Answer, ask: ResponsesAsk, { conversations, engine }: ServerContext): void {
  const whole = engine ? `${ask.prompt!.whole}${contentOf(answer)}\n` : ''
  conversations.remember(`resp_${answer.id}`, { tokens: answer.promptTokens + answer.tokens, whole })
}
