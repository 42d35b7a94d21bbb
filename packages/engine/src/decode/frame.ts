import type { Frame, Framing, Json } from '@aiperf/core'
import { isPacked } from './packed.js'

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
      const from = byteOrderMark(this.data)
      this.#text = Buffer.from(buffer as ArrayBuffer, byteOffset + from, length - from).toString('utf8')
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

/** Length of the byte-order mark that some servers begin a body with: it is no part of a text. */
const byteOrderMark = (start: Uint8Array): number => (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 3 : 0)

const SSE = 'text/event-stream'
const LINES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|json-seq)$/
const SSE_STARTS = [':', ...['data', 'event', 'id', 'retry'].flatMap((name) => [':', '\n', '\r'].map((end) => name + end))]
const BEGINNINGS = [...SSE_STARTS, '\xef\xbb\xbf']
/** Bytes that tell, at most. */
const TELLING = 8
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Framing of a body by its content type; undefined: by its first bytes, for proxies and servers relabel streams and whole answers. */
export function framingOf(contentType: string, streaming: boolean): Framing | undefined {
  if (contentType === 'application/vnd.amazon.eventstream') return 'aws-event-stream'
  return streaming || statedFraming(contentType) !== 'body' ? undefined : 'body'
}

/**
 * Framing by the first bytes of a body, blank ones passed over; undefined while they do not tell. An SSE body begins with one of
 * its field names or a comment, a JSON text with a bracket; for anything else the content type is believed.
 */
export function framingByStart(start: Uint8Array, contentType: string): Framing | undefined {
  if (start.length === 1 && start[0] === 0x1f) return undefined
  if (isPacked(start)) return 'body'
  let from = byteOrderMark(start)
  while (from < start.length && isBlank(start[from]!)) from++
  const text = Buffer.from(start.buffer as ArrayBuffer, start.byteOffset + from, Math.min(start.length - from, TELLING)).toString('latin1')
  if (SSE_STARTS.some((field) => text.startsWith(field))) return 'sse'
  if (BEGINNINGS.some((beginning) => beginning.startsWith(text))) return undefined
  const stated = statedFraming(contentType)
  return stated === 'sse' && /^[[{]/.test(text) ? 'body' : stated
}

/** What the content type says of a body whose bytes do not tell. */
export function statedFraming(contentType: string): Framing {
  return contentType === SSE ? 'sse' : LINES.test(contentType) ? 'ndjson' : 'body'
}
