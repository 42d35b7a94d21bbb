import { readCompletion } from '../ask/completions.js'
import { scanAsk } from '../ask/scan.js'
import { answerRequest } from '../drive/answer-request.js'
import { needsJson } from '../options/needs-json.js'
import { CompletionWire } from '../wire/completions.js'
import type { Route } from './route.js'

/** POST /v1/completions: https://platform.openai.com/docs/api-reference/completions */
export const completions: Route = {
  method: 'POST',
  path: '/v1/completions',
  handle(exchange, context) {
    const read = needsJson(context.options) ? readCompletion : scanCompletion
    answerRequest(exchange, context, read, makeWire)
  },
}

const scanCompletion = (body: Buffer) => scanAsk(body, 'prompt')
const makeWire = (...args: ConstructorParameters<typeof CompletionWire>) => new CompletionWire(...args)
