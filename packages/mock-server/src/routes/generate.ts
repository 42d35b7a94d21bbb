import { readTgi, type TgiAsk } from '../ask/tgi.js'
import { answerRequest } from '../drive/answer-request.js'
import { HUGGING_FACE } from '../wire/errors.js'
import { TgiWire } from '../wire/tgi.js'
import type { Route } from './route.js'

/** POST /generate: https://huggingface.github.io/text-generation-inference */
export const generate: Route = {
  method: 'POST',
  path: '/generate',
  handle: (exchange, context) => answerRequest<TgiAsk>(exchange, context, (body) => readTgi(body, false), makeWire, HUGGING_FACE),
}

/** POST /generate_stream: the same in events. */
export const generateStream: Route = {
  method: 'POST',
  path: '/generate_stream',
  handle: (exchange, context) => answerRequest<TgiAsk>(exchange, context, (body) => readTgi(body, true), makeWire, HUGGING_FACE),
}

const makeWire = (...args: ConstructorParameters<typeof TgiWire>) => new TgiWire(...args)
