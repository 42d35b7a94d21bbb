import { EventStreamCodec } from '@smithy/core/event-streams'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
)
const PRELUDE_BYTES = 12
const LONGEST_BYTES = 24 * 1024 * 1024

/** A failure that the service put into the stream. */
export interface StreamFailure {
  code: string
  message: string
}

/** Unpacks a response stream (`application/vnd.amazon.eventstream`): messages with checksums, cut anywhere by reads. */
export class EventStreamReader {
  #held: Buffer = Buffer.alloc(0)

  /** Bytes of an unfinished message are held. */
  get unfinished(): boolean {
    return this.#held.length > 0
  }

  /** Hands on the payloads within `view`; returns a failure when one was found. Throws on what is no such stream. */
  push(view: Uint8Array, onPayload: (payload: Uint8Array) => void): StreamFailure | undefined {
    const data = this.#held.length === 0 ? Buffer.from(view) : Buffer.concat([this.#held, view])
    let at = 0
    while (data.length - at >= PRELUDE_BYTES) {
      const length = data.readUInt32BE(at)
      if (length < PRELUDE_BYTES + 4 || length > LONGEST_BYTES) throw new Error(`a message of ${length} bytes is no event-stream message`)
      if (data.length - at < length) break
      const { headers, body } = codec.decode(data.subarray(at, at + length))
      at += length
      const header = (name: string): string => String(headers[name]?.value ?? '')
      const kind = header(':message-type')
      if (kind === 'event' && header(':event-type') === 'PayloadPart') onPayload(body)
      else if (kind === 'exception') return failureOf(header(':exception-type'), body)
      else if (kind === 'error') return { code: header(':error-code') || 'error', message: header(':error-message') }
    }
    this.#held = data.subarray(at)
    return undefined
  }
}

function failureOf(code: string, body: Uint8Array): StreamFailure {
  const text = Buffer.from(body).toString('utf8')
  try {
    const { Message, message, ErrorCode } = JSON.parse(text) as Record<string, unknown>
    const said = String(Message ?? message ?? text)
    return { code: code || 'exception', message: ErrorCode === undefined ? said : `${said} (${String(ErrorCode)})` }
  } catch {
    return { code: code || 'exception', message: text }
  }
}
