import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Head } from './head.js'
import { MAX_HEAD_BYTES, ResponseParser } from './parser.js'
import { ProtocolError } from './protocol-error.js'
import { responseBytes } from '../../test/responses.js'

interface Read {
  heads: Pick<Head, 'status' | 'headers'>[]
  interim: number
  body: string
  /** Bytes that belong to the response; −1 when it did not end. */
  length: number
  untilClose: boolean
  error: string | undefined
}

/** Parses `bytes` delivered in `pieces`, in one buffer that is used again, as a connection does. */
function parse(bytes: Buffer, pieces: number[], headRequest = false): Read {
  const read: Read = { heads: [], interim: 0, body: '', length: -1, untilClose: false, error: undefined }
  const parser = new ResponseParser({
    onInterim: () => void read.interim++,
    onHead: (head) => void read.heads.push({ status: head.status, headers: head.headers }),
    onBody: (view) => void (read.body += Buffer.from(view).toString('latin1')),
  })
  parser.reset(headRequest)
  const buffer = Buffer.alloc(Math.max(1, bytes.length), 0x0a)
  let at = 0
  try {
    for (const size of [...pieces, bytes.length]) {
      const end = Math.min(bytes.length, at + size)
      if (end === at) continue
      buffer.set(bytes.subarray(at, end))
      const used = parser.push(buffer, end - at, 0)
      at += used
      if (parser.done) {
        read.length = at
        break
      }
    }
    read.untilClose = parser.untilClose
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    read.error = error.code
  }
  return read
}

const text = (s: string): Buffer => Buffer.from(s, 'latin1')

describe('ResponseParser', () => {
  it('reads the same however the bytes are cut', () => {
    fc.assert(
      fc.property(responseBytes, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), ({ bytes }, pieces) => {
        const whole = parse(bytes, [])
        const cut = parse(bytes, pieces)
        // A fault may be noticed before what follows it has come: then the head may be missing from neither.
        expect(cut).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads the same byte by byte', () => {
    fc.assert(
      fc.property(responseBytes, ({ bytes }) => {
        expect(parse(bytes, Array(bytes.length).fill(1))).toEqual(parse(bytes, []))
      }),
      { numRuns: 500 },
    )
  })

  it('gives back status, headers, body and length of what it was made from', () => {
    let ended = 0
    fc.assert(
      fc.property(responseBytes, fc.string(), ({ bytes, intact, status, body, untilClose }, rest) => {
        if (!intact) return
        const read = parse(untilClose ? bytes : Buffer.concat([bytes, text(rest)]), [7, 50])
        expect(read.error).toBeUndefined()
        expect(read.heads.map((h) => h.status)).toEqual([status])
        expect(read.body).toBe(body)
        expect(read.untilClose).toBe(untilClose)
        if (!untilClose) expect(read.length).toBe(bytes.length)
        ended++
      }),
      { numRuns: 500 },
    )
    expect(ended).toBeGreaterThan(100)
  })

  it('never throws anything but a ProtocolError on random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.integer({ min: 1, max: 50 })), (bytes, pieces) => void parse(Buffer.from(bytes), pieces)), { numRuns: 600 })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('Transfer-Encoding: chunked', 'Content-Length: 9', 'X: y'), (bytes, line) =>
        void parse(Buffer.concat([text(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`), bytes]), [30, 3, 3])),
      { numRuns: 600 },
    )
  })

  it('hands the chunks of one read on as one view', () => {
    const views: string[] = []
    const parser = new ResponseParser({ onInterim() {}, onHead() {}, onBody: (view) => void views.push(Buffer.from(view).toString()) })
    parser.reset(false)
    const bytes = text('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n5;x=y\r\nfghij\r\n0\r\n\r\n')
    expect(parser.push(bytes, bytes.length, 0)).toBe(bytes.length)
    expect(views).toEqual(['abcdefghij'])
    expect(parser.done).toBe(true)
  })

  it('skips interim responses', () => {
    const read = parse(text('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'), [5, 30])
    expect(read).toMatchObject({ interim: 2, heads: [{ status: 200 }], body: 'hi', error: undefined })
  })

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', false],
    ['304 with the length of what was not sent', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', false],
    ['the answer to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', true],
    ['chunked answer to HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', true],
    ['length 0', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', false],
  ])('knows that %s has no body', (_, bytes, head) => {
    expect(parse(text(bytes), [], head)).toMatchObject({ length: bytes.length, body: '', error: undefined })
  })

  it.each([
    ['a larger head', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(MAX_HEAD_BYTES)}\r\n\r\n`, 'HEAD_TOO_LARGE'],
    ['a head that never ends', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(MAX_HEAD_BYTES / 6 + 1)}`, 'HEAD_TOO_LARGE'],
    ['endless chunk extensions', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(MAX_HEAD_BYTES + 1)}`, 'HEAD_TOO_LARGE'],
    ['endless trailers', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(MAX_HEAD_BYTES / 6 + 1)}`, 'HEAD_TOO_LARGE'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'BAD_STATUS_LINE'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc', 'BAD_LENGTH'],
    ['a length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', 'BAD_LENGTH'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\nabc', 'BAD_LENGTH'],
    ['a chunk size that is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'BAD_CHUNK'],
    ['a chunk longer than it said', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n', 'BAD_CHUNK'],
    ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n', 'UNEXPECTED_UPGRADE'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n', 'BAD_HEADER'],
  ])('refuses %s', (_, bytes, code) => {
    expect(parse(text(bytes), [10, 100, 20_000, 20_000, 20_000]).error).toBe(code)
  })

  it.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', 'Connection: close\r\n', false],
    ['HTTP/1.1', 'Connection: foo, Close\r\n', false],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', 'Connection: Keep-Alive\r\n', true],
  ])('judges from %s and %j whether the connection stays open', (version, line, expected) => {
    const parser = new ResponseParser({ onInterim() {}, onHead() {}, onBody() {} })
    parser.reset(false)
    const bytes = text(`${version} 200 OK\r\nContent-Length: 0\r\n${line}Keep-Alive: timeout=5, max=100\r\n\r\n`)
    parser.push(bytes, bytes.length, 0)
    expect(parser.keepAlive).toBe(expected)
    expect(parser.keepAliveSeconds).toBe(5)
  })
})
