/** Reason phrase of a status, the error type that files show. */
export function httpReason(status: number): string {
  // Not imported: the module takes 10 ms to load, in each thread, for answers that most runs never get.
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? `HTTP ${status}`
}

const OVERFLOW = ['context length', 'maximum context', 'context_length_exceeded', 'prompt is too long', 'exceed_context_size']

/** Whether an error text says that the prompt was longer than the model's context. */
export function isContextOverflow(message: string): boolean {
  const text = message.toLowerCase()
  return OVERFLOW.some((phrase) => text.includes(phrase))
}
