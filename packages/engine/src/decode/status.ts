/** Reason phrase of a status, the error type that files show. */
export function httpReason(status: number): string {
  // Not imported: the module takes 10 ms to load, in each thread, for answers that most runs never get.
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? `HTTP ${status}`
}

/** Whether a status sends the client elsewhere, to the place that the `Location` header names. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304
/** Redirects are not followed: every request would be sent twice, and measured as one. */
export const redirected = (location: string): string => `the server redirects to ${location}: give that address by --url, or its path by --custom-endpoint`

const OVERFLOW = ['context length', 'maximum context', 'context_length_exceeded', 'prompt is too long', 'exceed_context_size']

/** Whether an error text says that the prompt was longer than the model's context. */
export function isContextOverflow(message: string): boolean {
  const text = message.toLowerCase()
  return OVERFLOW.some((phrase) => text.includes(phrase))
}
