import { CHUNK_LINE_LF, EXTENSION, FAILED, HEX, SEMICOLON, extensionState } from './chunk-line.js'
import { badStatusLine, readHead, type Head } from './head.js'
import { ProtocolError } from './protocol-error.js'

/** What the parser found, in order. A handler may call `abandon` at any time; then nothing more is reported. */
export interface ResponseHandler {
  /** An interim response (1xx) was skipped; the final one follows. */
  onInterim(): void
  /** The head of the final response; 1xx are skipped. */
  onHead(head: Head, ns: number): void
  /** Bytes of the body without transfer coding. At most one call per read; valid only during it. */
  onBody(view: Uint8Array, ns: number): void
}

/** A head, chunk line or trailer section larger than this is refused. */
export const MAX_HEAD_BYTES = 64 * 1024

const CR = 13
const LF = 10
const END_OF_HEAD = Buffer.from('\r\n\r\n')

const HEAD = 0
const LENGTH = 1
const UNTIL_CLOSE = 2
const CHUNK_SIZE = 3
const CHUNK_SIZE_DIGITS = 4
const CHUNK_DATA = 5
const CHUNK_DATA_CR = 6
const CHUNK_DATA_LF = 7
const TRAILERS = 8
const DONE = 9

/**
 * Incremental parser of HTTP/1.1 responses (RFC 9112) over read buffers that are cut anywhere.
 *
 * Strict: what is not plainly legal throws `ProtocolError`, never a guess about where a body ends. It may move bytes
 * within the buffer it is given, so that the pieces of a chunked body that came in one read are handed on as one view.
 */
export class ResponseParser {
  readonly #handler: ResponseHandler
  #state = HEAD
  /** Bytes of an unfinished head or trailer section. */
  #carry: Buffer | undefined
  #left = 0
  #lineBytes = 0
  #headRequest = false
  /** The connection may serve another request after this response. */
  keepAlive = false
  /** Seconds the server promised to keep an idle connection; NaN when it said nothing. */
  keepAliveSeconds = Number.NaN

  constructor(handler: ResponseHandler) {
    this.#handler = handler
  }

  get done(): boolean {
    return this.#state === DONE
  }
  /** A body without a stated length: the end of the connection is its end. */
  get untilClose(): boolean {
    return this.#state === UNTIL_CLOSE
  }

  /** Prepares for the response to the next request. */
  reset(headRequest: boolean): void {
    this.#state = HEAD
    this.#carry = undefined
    this.#headRequest = headRequest
    this.keepAlive = false
    this.keepAliveSeconds = Number.NaN
  }

  /** Ignores whatever comes. */
  abandon(): void {
    this.#state = FAILED
  }

  /**
   * Reads `buffer[0 … length)`, received at `ns`. Returns how many bytes belong to the response: fewer than `length`
   * when it ended before.
   */
  push(buffer: Buffer, length: number, ns: number): number {
    let at = 0
    while (at < length) {
      switch (this.#state) {
        case HEAD:
          at = this.#readHead(buffer, at, length, ns)
          break
        case LENGTH: {
          const end = this.#left < length - at ? at + this.#left : length
          this.#left -= end - at
          if (this.#left === 0) this.#state = DONE
          this.#handler.onBody(buffer.subarray(at, end), ns)
          at = end
          break
        }
        case UNTIL_CLOSE:
          this.#handler.onBody(at === 0 && length === buffer.length ? buffer : buffer.subarray(at, length), ns)
          at = length
          break
        case DONE:
        case FAILED:
          return at
        default:
          at = this.#readChunked(buffer, at, length, ns)
      }
    }
    return at
  }

  #readHead(buffer: Buffer, from: number, length: number, ns: number): number {
    let at = from
    // Empty lines before a status line are tolerated, as everybody does.
    if (this.#carry === undefined) while (at < length && (buffer[at] === CR || buffer[at] === LF)) at++
    if (at === length) return at
    const section = this.#section(buffer, at, length)
    if (section === undefined) return length
    const head = readHead(section.text)
    at = section.end
    if (head.status < 200) {
      if (head.status === 101) throw new ProtocolError('UNEXPECTED_UPGRADE', 'the server switched protocols without being asked to')
      this.#handler.onInterim()
      return at
    }
    this.keepAlive = head.keepAlive
    this.keepAliveSeconds = head.keepAliveSeconds
    if (this.#headRequest || head.status === 204 || head.status === 304) this.#state = DONE
    else if (head.chunked) this.#state = CHUNK_SIZE
    else if (head.contentLength >= 0) {
      this.#left = head.contentLength
      this.#state = this.#left === 0 ? DONE : LENGTH
    } else {
      this.#state = UNTIL_CLOSE
      this.keepAlive = false
    }
    this.#handler.onHead(head, ns)
    return at
  }

  /** The text up to an empty line, when it is there; otherwise the bytes are kept for the next read. */
  #section(buffer: Buffer, from: number, length: number): { text: string; end: number } | undefined {
    if (this.#carry === undefined) {
      const found = buffer.indexOf(END_OF_HEAD, from)
      const size = found - from
      if (found >= 0 && found + 4 <= length) {
        if (size > MAX_HEAD_BYTES) throw tooLarge()
        return { text: buffer.toString('latin1', from, found + 2), end: found + 4 }
      }
      if (length - from > MAX_HEAD_BYTES) throw tooLarge()
      this.#carry = Buffer.from(buffer.subarray(from, length))
      this.#rejectEarly(this.#carry)
      return undefined
    }
    const before = this.#carry.length
    const joined = Buffer.concat([this.#carry, buffer.subarray(from, length)])
    const found = joined.indexOf(END_OF_HEAD, Math.max(0, before - 3))
    if (found > MAX_HEAD_BYTES || (found < 0 && joined.length > MAX_HEAD_BYTES)) throw tooLarge()
    if (found < 0) {
      this.#carry = joined
      this.#rejectEarly(joined)
      return undefined
    }
    this.#carry = undefined
    return { text: joined.toString('latin1', 0, found + 2), end: from + found + 4 - before }
  }

  /** What does not begin like a status line is refused at once instead of after 64 KiB or a time-out. */
  #rejectEarly(bytes: Buffer): void {
    if (this.#state !== HEAD) return
    const begin = bytes.toString('latin1', 0, Math.min(5, bytes.length))
    if (!'HTTP/'.startsWith(begin)) throw badStatusLine(bytes.toString('latin1', 0, 40))
  }

  /** Reads chunks while there are bytes; data of several chunks is moved together and reported once, also before a fault. */
  #readChunked(buffer: Buffer, from: number, length: number, ns: number): number {
    let at = from
    let dataStart = 0
    let dataEnd = 0
    let state = this.#state
    while (at < length && state !== TRAILERS && state !== FAILED) {
      if (state === CHUNK_DATA) {
        const take = this.#left < length - at ? this.#left : length - at
        if (dataEnd === dataStart) {
          dataStart = at
          dataEnd = at + take
        } else {
          buffer.copyWithin(dataEnd, at, at + take)
          dataEnd += take
        }
        at += take
        this.#left -= take
        if (this.#left === 0) state = CHUNK_DATA_CR
        continue
      }
      const byte = buffer[at++]!
      switch (state) {
        case CHUNK_DATA_CR:
          state = byte === CR ? CHUNK_DATA_LF : FAILED
          break
        case CHUNK_DATA_LF:
          state = byte === LF ? CHUNK_SIZE : FAILED
          break
        case CHUNK_SIZE:
          this.#left = HEX[byte]! - 1
          this.#lineBytes = 0
          state = this.#left < 0 ? FAILED : CHUNK_SIZE_DIGITS
          break
        case CHUNK_SIZE_DIGITS:
          if (HEX[byte] !== 0) {
            this.#left = this.#left * 16 + HEX[byte]! - 1
            if (this.#left > Number.MAX_SAFE_INTEGER) state = FAILED
          } else state = byte === CR ? CHUNK_LINE_LF : byte === SEMICOLON ? EXTENSION : FAILED
          if (++this.#lineBytes > MAX_HEAD_BYTES) state = FAILED
          break
        case CHUNK_LINE_LF:
          state = byte !== LF ? FAILED : this.#left > 0 ? CHUNK_DATA : TRAILERS
          break
        default:
          state = extensionState(state, byte)
          if (++this.#lineBytes > MAX_HEAD_BYTES) state = FAILED
      }
    }
    this.#state = state
    if (dataEnd > dataStart) this.#handler.onBody(buffer.subarray(dataStart, dataEnd), ns)
    if (state === FAILED) throw this.#lineBytes > MAX_HEAD_BYTES ? tooLarge() : new ProtocolError('BAD_CHUNK', 'the chunked body is malformed')
    return this.#state === TRAILERS && at < length ? this.#readTrailers(buffer, at, length) : at
  }

  #readTrailers(buffer: Buffer, from: number, length: number): number {
    // Nearly always there are none: the empty line follows the last chunk.
    if (this.#carry !== undefined || from + 1 >= length || buffer[from] !== CR || buffer[from + 1] !== LF) return this.#trailerSection(buffer, from, length)
    this.#state = DONE
    return from + 2
  }

  #trailerSection(buffer: Buffer, from: number, length: number): number {
    const before = this.#carry?.length ?? 0
    const joined = this.#carry ? Buffer.concat([this.#carry, buffer.subarray(from, length)]) : Buffer.from(buffer.subarray(from, length))
    if (joined[0] === CR && joined.length < 2) {
      this.#carry = joined
      return length
    }
    if (joined[0] === CR && joined[1] === LF) {
      this.#carry = undefined
      this.#state = DONE
      return from + 2 - before
    }
    const found = joined.indexOf(END_OF_HEAD)
    if (found > MAX_HEAD_BYTES || (found < 0 && joined.length > MAX_HEAD_BYTES)) throw tooLarge()
    if (found < 0) {
      this.#carry = joined
      return length
    }
    this.#carry = undefined
    // Read like a head, for the same rules hold; among them that no Content-Length may stand beside a chunked body.
    readHead(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${joined.toString('latin1', 0, found + 2)}`)
    this.#state = DONE
    return from + found + 4 - before
  }
}

function tooLarge(): ProtocolError {
  return new ProtocolError('HEAD_TOO_LARGE', `the response head or trailer is larger than ${MAX_HEAD_BYTES} bytes`)
}
