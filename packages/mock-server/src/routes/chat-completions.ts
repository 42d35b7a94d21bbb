import { readChat } from '../ask/chat.js'
import { scanAsk } from '../ask/scan.js'
import { answerRequest } from '../drive/answer-request.js'
import { needsJson } from '../options/needs-json.js'
import { ChatWire } from '../wire/chat.js'
import type { Route } from './route.js'

/** POST /v1/chat/completions: https://platform.openai.com/docs/api-reference/chat */
export const chatCompletions: Route = {
  method: 'POST',
  path: '/v1/chat/completions',
  handle(exchange, context) {
    const read = needsJson(context.options) ? readChat : scanChat
    answerRequest(exchange, context, read, makeWire)
  },
}

const scanChat = (body: Buffer) => scanAsk(body, 'messages')
const makeWire = (...args: ConstructorParameters<typeof ChatWire>) => new ChatWire(...args)
