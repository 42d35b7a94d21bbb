import { readTranscription } from '../ask/transcription.js'
import { answerRequest } from '../drive/answer-request.js'
import { TranscriptionWire } from '../wire/transcription.js'
import type { Route } from './route.js'

/** POST /v1/audio/transcriptions: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions: Route = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  handle: (exchange, context) => answerRequest(exchange, context, (_body, request) => readTranscription(request), (answer, style, ask) => new TranscriptionWire(answer, style, ask)),
}
