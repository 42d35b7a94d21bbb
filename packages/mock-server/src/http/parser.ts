import { BadRequest, parseHead } from './head.js'
import { EMPTY, type HttpRequest } from './request.js'

type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailers'

const MAX_CHUNK_LINE = 256

/**
 * An incremental HTTP/1.1 request parser: bytes in as they come, whole requests out. It never copies a body that came
 * in one piece, and it looks at the bytes of a pipelined request only when that request is asked for.
 */
export class RequestParser {
  #bytes = EMPTY
  #at = 0
  #state: State = 'head'
  /** Where the search for the end of the head goes on, so that a slow head is not searched over and over. */
  #searched = 0
  #request: HttpRequest | undefined
  #parts: Buffer[] = []
  #partBytes = 0
  /** Bytes still missing of the body or of the current chunk. */
  #missing = 0
  /** Set while a client holds its body back until it sees `100 Continue`. */
  awaitsContinue = false

  constructor(
    readonly maxHeaderBytes: number,
    readonly maxBodyBytes: number,
  ) {}

  /** Bytes that have come and do not belong to a request handed out yet. */
  get buffered(): number {
    return this.#bytes.length - this.#at + this.#partBytes
  }

  /** Whether a request's head has been read and its body is still coming. */
  get insideBody(): boolean {
    return this.#request !== undefined
  }

  feed(bytes: Buffer): void {
    const left = this.#bytes.length - this.#at
    this.#bytes = left === 0 ? bytes : Buffer.concat([this.#bytes.subarray(this.#at), bytes])
    this.#searched = Math.max(0, this.#searched - this.#at)
    this.#at = 0
  }

  /** The next whole request, or undefined where bytes are missing. Throws `BadRequest`. */
  take(): HttpRequest | undefined {
    while (this.#step()) {
      if (this.#state === 'head' && this.#request) return this.#complete(this.#request)
    }
    return undefined
  }

  #complete(request: HttpRequest): HttpRequest {
    if (this.#parts.length > 0) request.body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = []
    this.#partBytes = 0
    this.#request = undefined
    this.awaitsContinue = false
    return request
  }

  /** Does one step of progress; false where more bytes are needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead()
      case 'length':
        return this.#readData('head')
      case 'chunk-size':
        return this.#readChunkSize()
      case 'chunk-data':
        return this.#readData('chunk-end')
      case 'chunk-end':
        return this.#readLine(2, 'a chunk is longer than it said') !== undefined && this.#become('chunk-size')
      case 'trailers': {
        const line = this.#readLine(this.maxHeaderBytes, 'the trailers are too long')
        if (line === undefined) return false
        return line === '' ? this.#become('head') : true
      }
    }
  }

  #become(state: State): true {
    this.#state = state
    return true
  }

  #readHead(): boolean {
    const bytes = this.#bytes
    // A client may send an empty line after a body (RFC 9112, 2.2).
    while (this.#at < bytes.length && (bytes[this.#at] === 13 || bytes[this.#at] === 10)) this.#at++
    if (this.#at === bytes.length) return false
    if (bytes[this.#at]! < 65 || bytes[this.#at]! > 90) throw new BadRequest(400, 'this is not an HTTP request (is it TLS?)')
    const end = bytes.indexOf('\r\n\r\n', Math.max(this.#at, this.#searched), 'latin1')
    const length = (end < 0 ? bytes.length : end) - this.#at
    if (length > this.maxHeaderBytes) throw new BadRequest(431, `the head is longer than ${this.maxHeaderBytes} bytes`)
    if (end < 0) {
      this.#searched = Math.max(this.#at, bytes.length - 3)
      return false
    }
    const head = parseHead(bytes.toString('latin1', this.#at, end))
    this.#at = end + 4
    this.#searched = 0
    this.#request = head.request
    this.awaitsContinue = head.expectContinue
    if (head.bodyBytes < 0) return this.#become('chunk-size')
    this.#expect(head.bodyBytes)
    return this.#become(head.bodyBytes > 0 ? 'length' : 'head')
  }

  #expect(size: number): void {
    if (this.#partBytes + size > this.maxBodyBytes) throw new BadRequest(413, `the body is longer than ${this.maxBodyBytes} bytes`)
    this.#missing = size
  }

  #readData(then: State): boolean {
    const size = Math.min(this.#missing, this.#bytes.length - this.#at)
    if (size === 0) return false
    this.#parts.push(this.#bytes.subarray(this.#at, this.#at + size))
    this.#partBytes += size
    this.#at += size
    this.#missing -= size
    this.awaitsContinue = false
    return this.#missing === 0 && this.#become(then)
  }

  #readChunkSize(): boolean {
    const line = this.#readLine(MAX_CHUNK_LINE, 'a chunk size is too long')
    if (line === undefined) return false
    const size = /^([0-9a-fA-F]{1,8})[ \t]*(;.*)?$/.exec(line)
    if (!size) throw new BadRequest(400, 'a chunk size is not a hexadecimal number')
    this.#expect(parseInt(size[1]!, 16))
    return this.#become(this.#missing === 0 ? 'trailers' : 'chunk-data')
  }

  /** The next line of at most `limit` bytes with its CR LF, without it; undefined where it is not whole yet. */
  #readLine(limit: number, complaint: string): string | undefined {
    const end = this.#bytes.indexOf('\r\n', this.#at, 'latin1')
    const length = (end < 0 ? this.#bytes.length : end + 2) - this.#at
    if (length > limit) throw new BadRequest(400, complaint)
    if (end < 0) return undefined
    const line = this.#bytes.toString('latin1', this.#at, end)
    this.#at = end + 2
    return line
  }
}
