import type { Frame, Framing, Json } from '@aiperf/core'

/** One frame, reused for all: valid during the call only. */
export class FrameView implements Frame {
  framing: Framing = 'sse'
  event = ''
  comment = ''
  data: Uint8Array = new Uint8Array(0)
  status = 0
  contentType = ''
  #text: string | undefined
  #json: Json | undefined
  #parsed = false

  set(event: string, data: Uint8Array, comment: string): this {
    this.event = event
    this.data = data
    this.comment = comment
    this.#text = undefined
    this.#json = undefined
    this.#parsed = false
    return this
  }

  text(): string {
    if (this.#text === undefined) {
      const { buffer, byteOffset, length } = this.data
      this.#text = Buffer.from(buffer as ArrayBuffer, byteOffset, length).toString('utf8')
    }
    return this.#text
  }

  json(): Json | undefined {
    if (!this.#parsed) {
      this.#parsed = true
      try {
        this.#json = JSON.parse(this.text()) as Json
      } catch {
        this.#json = undefined
      }
    }
    return this.#json
  }
}

const SSE = 'text/event-stream'
const SSE_STARTS = [':', ...['data', 'event', 'id', 'retry'].flatMap((name) => [':', '\n', '\r'].map((end) => name + end))]
/** Bytes that tell, at most. */
const TELLING = 64

/** Framing of a body by its content type; undefined: by its first bytes, for proxies and servers relabel streams and whole answers. */
export function framingOf(contentType: string, streaming: boolean): Framing | undefined {
  if (/^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|json-seq)$/.test(contentType)) return 'ndjson'
  if (contentType === 'application/vnd.amazon.eventstream') return 'aws-event-stream'
  return streaming || contentType === SSE ? undefined : 'body'
}

/**
 * Framing by the first bytes of a body; undefined while they do not tell. An SSE body begins with one of its field names or
 * a comment, a JSON text with a bracket; for anything else the content type is believed.
 */
export function framingByStart(start: Uint8Array, contentType: string): Framing | undefined {
  if (start.length === 1 && start[0] === 0x1f) return undefined
  if (isPacked(start)) return 'body'
  const text = Buffer.from(start.buffer as ArrayBuffer, start.byteOffset, Math.min(start.length, TELLING)).toString('latin1').replace(/^(\xef(\xbb\xbf?)?)?\s*/, '')
  if (SSE_STARTS.some((field) => text.startsWith(field))) return 'sse'
  if (start.length < TELLING && SSE_STARTS.some((field) => field.startsWith(text))) return undefined
  return /^[[{]/.test(text) ? 'body' : statedFraming(contentType)
}

/** Whether a body is packed by gzip, as some proxies do although they are asked not to. */
export const isPacked = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b

/** What the content type says of a body whose bytes do not tell. */
export const statedFraming = (contentType: string): Framing => (contentType === SSE ? 'sse' : 'body')
