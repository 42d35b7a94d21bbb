import { readMessages } from '../ask/messages.js'
import { answerRequest } from '../drive/answer-request.js'
import { ANTHROPIC } from '../wire/errors.js'
import { MessagesWire } from '../wire/messages.js'
import type { Route } from './route.js'

/** POST /v1/messages: https://docs.anthropic.com/en/api/messages */
export const messages: Route = {
  method: 'POST',
  path: '/v1/messages',
  handle: (exchange, context) => answerRequest(exchange, context, readMessages, (answer, style) => new MessagesWire(answer, style), ANTHROPIC),
}
