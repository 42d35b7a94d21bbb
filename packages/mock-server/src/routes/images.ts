import { readEdit, readGeneration } from '../ask/images.js'
import { answerRequest } from '../drive/answer-request.js'
import { ImagesWire } from '../wire/images.js'
import type { Route } from './route.js'

/** POST /v1/images/generations: https://platform.openai.com/docs/api-reference/images/create */
export const imageGenerations: Route = {
  method: 'POST',
  path: '/v1/images/generations',
  handle: (exchange, context) => answerRequest(exchange, context, (_body, request) => readGeneration(request), makeWire),
}

/** POST /v1/images/edits: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Route = {
  method: 'POST',
  path: '/v1/images/edits',
  handle: (exchange, context) => answerRequest(exchange, context, (_body, request) => readEdit(request), makeWire),
}

const makeWire = (...args: ConstructorParameters<typeof ImagesWire>) => new ImagesWire(...args)
