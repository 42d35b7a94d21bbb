/** How an API says that a request has failed. */
export interface ErrorShape {
  /** Status for a request that makes no sense. */
  readonly invalid: 400 | 422
  body(status: number, message: string): unknown
}

/** OpenAI and the servers that took its API over. */
export const OPENAI: ErrorShape = {
  invalid: 400,
  body: (status, message) => ({ error: { message, type: openAiType(status), param: null, code: status } }),
}

/** https://docs.anthropic.com/en/api/errors */
export const ANTHROPIC: ErrorShape = {
  invalid: 400,
  body: (status, message) => ({ type: 'error', error: { type: ANTHROPIC_TYPES[status] ?? 'api_error', message } }),
}

/** https://docs.cohere.com/reference/errors */
export const COHERE: ErrorShape = { invalid: 400, body: (_status, message) => ({ message }) }

/** Text Generation Inference and Text Embeddings Inference. */
export const HUGGING_FACE: ErrorShape = {
  invalid: 422,
  body: (status, message) => ({ error: message, error_type: HUGGING_FACE_TYPES[status] ?? 'generation' }),
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error', 413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error',
}
const HUGGING_FACE_TYPES: Readonly<Record<number, string>> = { 404: 'not_found', 422: 'validation', 429: 'overloaded', 503: 'overloaded' }

function openAiType(status: number): string {
  if (status === 404) return 'NotFoundError'
  if (status === 429) return 'RateLimitError'
  if (status === 503) return 'ServiceUnavailableError'
  return status < 500 ? 'BadRequestError' : 'InternalServerError'
}
