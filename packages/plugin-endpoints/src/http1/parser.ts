import { readHead, type Head } from './head.js'
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
const EXTENSION = 5
const EXTENSION_NAME = 6
const EXTENSION_VALUE = 7
const EXTENSION_QUOTED = 8
const EXTENSION_ESCAPE = 9
const EXTENSION_QUOTED_END = 10
const CHUNK_LINE_LF = 11
const CHUNK_DATA = 12
const CHUNK_DATA_CR = 13
const CHUNK_DATA_LF = 14
const TRAILERS = 15
const DONE = 16
const FAILED = 17

/** 1 for the bytes of a token (RFC 9110, 5.6.2). */
const TOKEN = new Uint8Array(256)
for (const c of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") TOKEN[c.charCodeAt(0)] = 1
/** Value of a hexadecimal digit plus one; 0 for other bytes. */
const HEX = new Uint8Array(256)
for (let i = 0; i < 16; i++) {
  HEX['0123456789abcdef'.charCodeAt(i)] = i + 1
  HEX['0123456789ABCDEF'.charCodeAt(i)] = i + 1
}

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
    else if (head.chunked) this.#startChunk()
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
    if (!'HTTP/'.startsWith(begin)) throw new ProtocolError('BAD_STATUS_LINE', `expected a status line, got ${JSON.stringify(bytes.toString('latin1', 0, 40))}`)
  }

  #startChunk(): void {
    this.#state = CHUNK_SIZE
    this.#left = 0
    this.#lineBytes = 0
  }

  /** Reads chunks while there are bytes; data of several chunks is moved together and reported once. */
  #readChunked(buffer: Buffer, from: number, length: number, ns: number): number {
    let at = from
    let dataStart = 0
    let dataEnd = 0
    let state = this.#state
    loop: while (at < length) {
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
      if (state === TRAILERS) break
      const byte = buffer[at++]!
      switch (state) {
        case CHUNK_DATA_CR:
          if (byte !== CR) throw badChunk()
          state = CHUNK_DATA_LF
          break
        case CHUNK_DATA_LF:
          if (byte !== LF) throw badChunk()
          state = CHUNK_SIZE
          this.#left = 0
          this.#lineBytes = 0
          break
        case CHUNK_SIZE:
          if (HEX[byte] === 0) throw badChunk()
          this.#left = HEX[byte]! - 1
          state = CHUNK_SIZE_DIGITS
          break
        case CHUNK_SIZE_DIGITS:
          if (HEX[byte] !== 0) {
            this.#left = this.#left * 16 + HEX[byte]! - 1
            if (this.#left > Number.MAX_SAFE_INTEGER) throw badChunk()
          } else if (byte === CR) state = CHUNK_LINE_LF
          else if (byte === 0x3b) state = EXTENSION
          else throw badChunk()
          this.#countLine()
          break
        case CHUNK_LINE_LF:
          if (byte !== LF) throw badChunk()
          if (this.#left > 0) state = CHUNK_DATA
          else {
            state = TRAILERS
            break loop
          }
          break
        default:
          state = extensionState(state, byte)
          this.#countLine()
      }
    }
    this.#state = state
    // The last bytes of the data are reported before the end is known, so that nothing is reported after it.
    if (state === TRAILERS && at < length) at = this.#readTrailers(buffer, at, length, dataStart, dataEnd, ns)
    else if (dataEnd > dataStart) this.#handler.onBody(buffer.subarray(dataStart, dataEnd), ns)
    return at
  }

  #readTrailers(buffer: Buffer, from: number, length: number, dataStart: number, dataEnd: number, ns: number): number {
    let end: number
    // Nearly always there are none: the empty line follows the last chunk.
    if (this.#carry === undefined && from + 1 < length && buffer[from] === CR && buffer[from + 1] === LF) {
      end = from + 2
      this.#state = DONE
    } else {
      end = this.#trailerSection(buffer, from, length)
    }
    if (dataEnd > dataStart) this.#handler.onBody(buffer.subarray(dataStart, dataEnd), ns)
    return end
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
    readHead(`HTTP/1.1 200 OK\r\n${joined.toString('latin1', 0, found + 2)}`)
    this.#state = DONE
    return from + found + 4 - before
  }

  #countLine(): void {
    if (++this.#lineBytes > MAX_HEAD_BYTES) throw tooLarge()
  }
}

/** Chunk extensions are read to find the end of the line, and otherwise ignored (RFC 9112, 7.1.1). */
function extensionState(state: number, byte: number): number {
  switch (state) {
    case EXTENSION:
    case EXTENSION_NAME:
      if (TOKEN[byte] === 1) return EXTENSION_NAME
      if (state === EXTENSION) throw badChunk()
      if (byte === 0x3d) return EXTENSION_VALUE
      break
    case EXTENSION_VALUE:
      if (TOKEN[byte] === 1) return EXTENSION_VALUE
      if (byte === 0x22) return EXTENSION_QUOTED
      break
    case EXTENSION_QUOTED:
      if (byte === 0x22) return EXTENSION_QUOTED_END
      if (byte === 0x5c) return EXTENSION_ESCAPE
      if (byte < 0x20 && byte !== 9) throw badChunk()
      return EXTENSION_QUOTED
    case EXTENSION_ESCAPE:
      if (byte < 0x20 && byte !== 9) throw badChunk()
      return EXTENSION_QUOTED
  }
  if (byte === 0x3b) return EXTENSION
  if (byte === CR) return CHUNK_LINE_LF
  throw badChunk()
}

function tooLarge(): ProtocolError {
  return new ProtocolError('HEAD_TOO_LARGE', `the response head or trailer is larger than ${MAX_HEAD_BYTES} bytes`)
}
function badChunk(): ProtocolError {
  return new ProtocolError('BAD_CHUNK', 'the chunked body is malformed')
}
