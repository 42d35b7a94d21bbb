import { AskError, type Ask } from '../ask/ask.js'
import { Fields } from '../ask/fields.js'
import { answerRequest } from '../drive/answer-request.js'
import type { HttpRequest } from '../http/request.js'
import { SolidoWire } from '../wire/solido.js'
import type { Route } from './route.js'

/** POST /rag/api/prompt: an answer from retrieved documents, streamed to who accepts an event stream. */
export const solidoPrompt: Route = {
  method: 'POST',
  path: '/rag/api/prompt',
  handle: (exchange, context) => answerRequest(exchange, context, read, (answer) => new SolidoWire(answer)),
}

function read(body: Buffer, request: HttpRequest): Ask {
  const fields = new Fields(body)
  const texts = [fields.required('query')].flat()
  if (!texts.every((text) => typeof text === 'string')) throw new AskError('query: must be text or a list of texts')
  const whole = texts.join('\n')
  const stream = /\btext\/event-stream\b/.test(request.header('accept') ?? '')
  return { ...fields.common(), model: fields.string('inference_model') ?? '', stream, prompt: { texts, whole }, promptChars: whole.length }
}
