/** Chunks of a canned stream: enough to measure the cost of a chunk apart from that of a request. */
const CHUNKS = 32

const usage = { prompt_tokens: 1, completion_tokens: CHUNKS, total_tokens: CHUNKS + 1 }
const about = { id: 'calibration', created: 0, model: 'calibration' }

function stream(chunk: (text: string | undefined) => object): string {
  const events = Array.from({ length: CHUNKS }, () => chunk(' the'))
  return [...events, chunk(undefined), { ...chunk(undefined), choices: [], usage }].map((e) => `data: ${JSON.stringify(e)}\n\n`).join('') + 'data: [DONE]\n\n'
}

const chatChunk = (text: string | undefined): object => ({
  ...about,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: text === undefined ? {} : { content: text }, finish_reason: text === undefined ? 'stop' : null }],
})
const textChunk = (text: string | undefined): object => ({
  ...about,
  object: 'text_completion',
  choices: [{ index: 0, text: text ?? '', finish_reason: text === undefined ? 'stop' : null }],
})

/** The whole HTTP response of a server that does no work, for an endpoint type. */
export function cannedAnswer(type: string, streaming: boolean): Buffer {
  if (streaming && (type === 'chat' || type === 'completions')) {
    const body = stream(type === 'chat' ? chatChunk : textChunk)
    return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const json =
    type === 'completions'
      ? { ...about, object: 'text_completion', choices: [{ index: 0, text: ' the', finish_reason: 'stop' }], usage }
      : { ...about, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: ' the' }, finish_reason: 'stop' }], usage }
  const body = JSON.stringify(json)
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
