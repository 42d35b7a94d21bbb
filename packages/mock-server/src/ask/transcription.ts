import type { HttpRequest } from '../http/request.js'
import { AskError, type Ask } from './ask.js'
import { submitted } from './form-fields.js'

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
/** Sound of 16 bits at 16 kHz, as speech most often comes. */
const BYTES_PER_SECOND = 32_000
const TOKENS_PER_SECOND = 10

export interface TranscriptionAsk extends Ask {
  readonly format: (typeof FORMATS)[number]
  /** Length of the sound, as told by its size. */
  readonly seconds: number
}

/** Reads the form of a transcription (https://platform.openai.com/docs/api-reference/audio/createTranscription). */
export function readTranscription(request: HttpRequest): TranscriptionAsk {
  const { fields, files } = submitted(request, request.header('content-type'), ['stream', 'temperature'])
  const file = files.find(({ name }) => name === 'file')
  if (!file || file.bytes.length === 0) throw new AskError('file: this field is required')
  const asked = fields.string('response_format') ?? 'json'
  const format = FORMATS.find((name) => name === asked)
  if (!format) throw new AskError(`response_format: must be one of ${FORMATS.join(', ')}`)
  const seconds = Math.max(0.01, Number((file.bytes.length / BYTES_PER_SECOND).toFixed(2)))
  const hint = fields.string('prompt') ?? ''
  return {
    ...fields.common(),
    includeUsage: true,
    prompt: { texts: [hint], whole: hint },
    promptChars: hint.length,
    otherPromptTokens: Math.ceil(seconds * TOKENS_PER_SECOND),
    format,
    seconds,
  }
}
