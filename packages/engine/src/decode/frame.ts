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

/** Framing of a body by its content type; undefined: look at the first bytes. */
export function framingOf(contentType: string, streaming: boolean): Framing | undefined {
  if (contentType === 'text/event-stream') return 'sse'
  if (/^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|json-seq)$/.test(contentType)) return 'ndjson'
  if (contentType === 'application/vnd.amazon.eventstream') return 'aws-event-stream'
  if (contentType === 'application/json' || contentType.endsWith('+json')) return 'body'
  return streaming ? undefined : 'body'
}

/** Proxies relabel streams: an SSE body begins with one of its field names or a comment. */
export function looksLikeSse(start: Uint8Array): boolean {
  const text = Buffer.from(start.buffer as ArrayBuffer, start.byteOffset, Math.min(start.length, 16)).toString('latin1').replace(/^\xef\xbb\xbf/, '').trimStart()
  return /^(data|event|id|retry)?:/.test(text)
}
