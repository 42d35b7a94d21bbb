import { SseParser, type Decoder, type Delta, type Endpoint, type Framing, type JsonObject, type Outcome, type RequestError, type Usage } from '@aiperf/core'
import { FrameView, framingByStart, framingOf, statedFraming } from './frame.js'
import { LineParser } from './lines.js'
import { isPacked, unpacked } from './packed.js'
import { httpReason, isContextOverflow, redirected } from './status.js'

/** Bytes kept of the beginning of a body, which is the message of a failed request; and of those, shown in other messages. */
const KEPT = 8192
const SHOWN = 300

function beginning(body: Uint8Array, most: number): string {
  return Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, Math.min(body.length, most)).toString('utf8')
}

/**
 * Reads one response: bytes and stamps in, facts out. Owns every time stamp; what a frame means is the endpoint's.
 *
 * The one rule of a token event: a frame with a text, reasoning or tool delta whose text is not empty (white space
 * counts). It drives time to first token, chunk gaps and the end of the latency.
 */
export class ResponseReader {
  status = 0
  contentType = ''
  headNs = Number.NaN
  firstTokenNs = Number.NaN
  firstOutputNs = Number.NaN
  lastTokenNs = Number.NaN
  /** Stamps of the token events; the first `contentEvents` are valid. */
  tokenNs = new Float64Array(64)
  contentEvents = 0
  /** Tokens per event, from cumulative usage in each chunk. */
  tokenCounts: number[] = []
  text = ''
  reasoning = ''
  toolText = ''
  usage: Usage | undefined
  finishReason = ''
  done = false
  error: { message: string; code?: number; type?: string } | undefined
  frames = 0
  malformed = 0
  malformedReason = ''
  fields: JsonObject | undefined
  streamed = false
  reads = 0
  bodyBytes = 0
  bodyStart = ''
  /** Where a redirect leads; empty for other answers. */
  location = ''
  readonly deltas: Delta[] = []

  readonly #endpoint: Endpoint
  readonly #keepText: boolean
  readonly #keepDeltas: boolean
  readonly #perChunkUsage: boolean
  #streaming = false
  #decoder!: Decoder
  #framing: Framing | undefined
  #sse: SseParser | undefined
  readonly #frame = new FrameView()
  #ns = 0
  #body: Buffer[] = []
  #lines: LineParser | undefined
  #usedBefore = 0
  readonly #onLine = (line: Buffer): void => this.#push('', line, '')
  readonly #onEvent = (event: string, data: Uint8Array, comment: string): void => this.#push(event, data, comment)

  constructor(endpoint: Endpoint, options: { keepText: boolean; keepDeltas?: boolean; perChunkUsage?: boolean }) {
    this.#endpoint = endpoint
    this.#keepText = options.keepText
    this.#keepDeltas = options.keepDeltas ?? false
    this.#perChunkUsage = options.perChunkUsage ?? false
  }

  /** Makes the reader ready for another response. */
  begin(streaming: boolean): void {
    this.#streaming = streaming
    this.status = 0
    this.contentType = ''
    this.headNs = this.firstTokenNs = this.firstOutputNs = this.lastTokenNs = Number.NaN
    this.contentEvents = 0
    if (this.tokenCounts.length > 0) this.tokenCounts = []
    this.text = this.reasoning = this.toolText = this.finishReason = this.malformedReason = this.bodyStart = this.location = ''
    this.usage = undefined
    this.done = this.streamed = false
    this.error = undefined
    this.frames = this.malformed = this.reads = this.bodyBytes = 0
    this.fields = undefined
    this.deltas.length = 0
    this.#framing = undefined
    this.#sse = undefined
    this.#body = []
    this.#lines = undefined
    this.#usedBefore = 0
  }

  /**
   * A response head. A polled job has two responses, that of the submission and the final one: the body of the first is
   * a frame like others.
   */
  head(status: number, contentType: string, ns: number): void {
    if (this.status !== 0) this.#pushBody()
    else this.#decoder = this.#endpoint.decoder()
    this.status = status
    this.contentType = contentType
    if (Number.isNaN(this.headNs)) this.headNs = ns
    this.#frame.status = status
    this.#frame.contentType = contentType
    if (status >= 300) this.#setFraming('body')
    else {
      const framing = framingOf(contentType, this.#streaming)
      if (framing) this.#setFraming(framing)
      else this.streamed = statedFraming(contentType) !== 'body'
    }
  }

  #setFraming(framing: Framing): void {
    this.#framing = framing
    this.#frame.framing = framing
    this.streamed = framing !== 'body'
    if (framing === 'sse') this.#sse = new SseParser()
    else if (framing === 'ndjson') this.#lines = new LineParser()
  }

  bytes(view: Uint8Array, ns: number): void {
    this.#ns = ns
    this.reads++
    this.bodyBytes += view.length
    if (this.#framing === undefined) this.#begin(view)
    else this.#read(view)
  }

  /** The first bytes wait until they tell what the body is; before that no event can have ended. */
  #begin(view: Uint8Array): void {
    const start = this.#body.length === 0 ? view : Buffer.concat([...this.#body, view])
    const framing = framingByStart(start, this.contentType)
    if (framing === undefined) {
      this.#body.push(Buffer.from(view))
      return
    }
    this.#body = []
    this.#setFraming(framing)
    this.#read(start)
  }

  /** The body ended before it told what it is. */
  #restart(): void {
    const start = Buffer.concat(this.#body)
    this.#body = []
    this.#setFraming(statedFraming(this.contentType))
    this.#read(start)
  }

  #read(view: Uint8Array): void {
    if (this.#framing === 'sse') {
      if (this.frames === 0 && this.bodyBytes - view.length < SHOWN) this.#body.push(Buffer.from(view.subarray(0, SHOWN)))
      this.#sse!.push(view, this.#onEvent)
    } else if (this.#framing === 'ndjson') this.#lines!.push(view, this.#onLine)
    else this.#body.push(Buffer.from(view))
  }

  /** The body ended cleanly. */
  end(ns: number): void {
    if (this.status === 0) return
    this.#ns = ns
    if (this.#framing === undefined) this.#restart()
    if (this.#framing === 'sse') {
      this.#sse!.end(this.#onEvent)
      if (this.frames === 0) this.bodyStart = beginning(Buffer.concat(this.#body), SHOWN)
    } else if (this.#framing === 'ndjson') this.#lines!.end(this.#onLine)
    else this.#pushBody()
    if (this.status < 300) for (const delta of this.#decoder.end()) this.#take(delta)
  }

  #pushBody(): void {
    const received = this.#body.length === 1 ? this.#body[0]! : Buffer.concat(this.#body)
    this.#body = []
    const body = isPacked(received) ? this.#unpacked(received) : received
    this.bodyStart = beginning(body, KEPT)
    if (this.status < 300) this.#push('', body, '')
  }

  /** A whole answer is read all the same; the events of a stream have no times any more. */
  #unpacked(body: Buffer): Buffer {
    let plain: Buffer
    try {
      plain = unpacked(body)
    } catch (error) {
      this.#take({ kind: 'malformed', reason: `the answer is packed by gzip and cannot be unpacked (${(error as Error).message})` })
      return Buffer.alloc(0)
    }
    if (framingByStart(plain, this.contentType) === 'body') return plain
    this.#take({ kind: 'malformed', reason: 'the server packed its stream by gzip, although Accept-Encoding asks for none: its events cannot be timed; switch off compression of text/event-stream on the server or proxy' })
    return Buffer.alloc(0)
  }

  #event = 0

  #push(event: string, data: Uint8Array, comment: string): void {
    if (data.length > 0) this.frames++
    this.#event = 0
    const deltas = this.#decoder.push(this.#frame.set(event, data, comment))
    for (let i = 0; i < deltas.length; i++) this.#take(deltas[i]!)
    if (this.#event > 0) this.#content()
  }

  /** Bit 1: content; bit 2: content that is not reasoning. */
  #take(delta: Delta): void {
    if (this.#keepDeltas) this.deltas.push({ ...delta })
    switch (delta.kind) {
      case 'text':
        if (delta.text.length > 0) {
          this.#event |= 3
          if (this.#keepText) this.text += delta.text
        }
        break
      case 'reasoning':
        if (delta.text.length > 0) {
          this.#event |= 1
          if (this.#keepText) this.reasoning += delta.text
        }
        break
      case 'tool':
        if ((delta.name?.length ?? 0) + (delta.arguments?.length ?? 0) > 0) {
          this.#event |= 3
          if (this.#keepText) this.toolText += (delta.name ?? '') + (delta.arguments ?? '')
        }
        break
      case 'data':
        if (delta.count > 0) this.#event |= 3
        break
      case 'usage':
        this.usage = delta.usage
        break
      case 'finish':
        this.finishReason = delta.reason
        break
      case 'done':
        this.done = true
        break
      case 'error':
        this.error ??= { message: delta.message, ...(delta.code === undefined ? {} : { code: delta.code }), ...(delta.type === undefined ? {} : { type: delta.type }) }
        break
      case 'field':
        ;(this.fields ??= {})[delta.name] = delta.value as number
        break
      case 'malformed':
        this.malformed++
        this.malformedReason ||= delta.reason
    }
  }

  #content(): void {
    const ns = this.#ns
    if (this.contentEvents === 0) this.firstTokenNs = ns
    if ((this.#event & 2) !== 0 && Number.isNaN(this.firstOutputNs)) this.firstOutputNs = ns
    this.lastTokenNs = ns
    if (this.contentEvents === this.tokenNs.length) {
      const larger = new Float64Array(this.tokenNs.length * 2)
      larger.set(this.tokenNs)
      this.tokenNs = larger
    }
    this.tokenNs[this.contentEvents++] = ns
    // Cumulative usage in each chunk says how many tokens the chunk brought.
    if (this.#perChunkUsage && this.usage?.completion !== undefined) {
      this.tokenCounts.push(Math.max(0, this.usage.completion - this.#usedBefore))
      this.#usedBefore = this.usage.completion
    }
  }

  /** How a response that ended cleanly is to be counted. */
  outcome(): { outcome: Outcome; error?: RequestError } {
    const fail = (category: Outcome, type: string, message: string, code?: number): { outcome: Outcome; error: RequestError } => {
      const outcome = isContextOverflow(message) ? 'context_overflow' : category
      return { outcome, error: { ...(code === undefined ? {} : { code }), type, message, category: outcome } }
    }
    if (this.status >= 300) return fail('http_error', httpReason(this.status), this.location === '' ? this.bodyStart : redirected(this.location), this.status)
    if (this.error) return fail('server_error', this.error.type ?? 'StreamError', this.error.message, this.error.code)
    // A model may stop before its first word: with a finish reason that is an answer, an empty one.
    if (this.contentEvents === 0 && this.finishReason === '') {
      if (this.malformed > 0) return fail('invalid', 'MalformedResponse', this.malformedReason)
      if (this.streamed && !this.done)
        return fail('incomplete', 'IncompleteStream', `the stream ended with no content, no finish reason and no end mark${this.#shown()}`)
      return fail('invalid', 'NoContent', `the response held no content (${this.bodyBytes} bytes of ${this.contentType || 'no content type'})${this.#shown()}`)
    }
    if (this.done) return { outcome: 'done' }
    if (this.finishReason !== '') return { outcome: this.streamed ? 'finish' : 'body' }
    if (!this.streamed) return { outcome: 'body' }
    return fail('incomplete', 'IncompleteStream', 'the stream ended with neither a finish reason nor an end mark')
  }

  #shown(): string {
    const start = this.bodyStart.slice(0, SHOWN).trim()
    return start === '' ? '' : `; it begins: ${start}`
  }
}
