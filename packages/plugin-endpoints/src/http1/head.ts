import { ProtocolError } from './protocol-error.js'

/** A response head, read. */
export interface Head {
  status: number
  /** Flat: name, value, name, value… as received, values without surrounding white space. */
  headers: string[]
  /** −1 when none was given. */
  contentLength: number
  chunked: boolean
  keepAlive: boolean
  /** `timeout` of the Keep-Alive header, seconds; NaN when absent. */
  keepAliveSeconds: number
}

const ORDINARY = 0
const CONTENT_LENGTH = 1
const TRANSFER_ENCODING = 2
const CONNECTION = 3
const KEEP_ALIVE = 4
const SPECIAL: Record<string, number> = {
  'content-length': CONTENT_LENGTH,
  'transfer-encoding': TRANSFER_ENCODING,
  connection: CONNECTION,
  'keep-alive': KEEP_ALIVE,
}
/** Header names seen before, spelled so, and what they are: a server sends the same few in each response. */
const KNOWN = new Map<string, number>()
const KNOWN_MOST = 512

/** Line ends that are not CRLF, and control characters. */
const ILLEGAL = /(?:^|[^\r])\n|\r(?!\n)|[^\t\r\n\x20-\x7e\x80-\xff]/
const VERSIONS = ['1.1', '1.0', '0.9', '2.0']
/** CR CR for its end is what llhttp takes, too. */
const STATUS_LINE = /^HTTP\/(\d\.\d) (\d{3})(?: [^\r\n]*)?\r[\r\n]/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Reads a status line and header lines; `text` ends with the CRLF of the last line. */
export function readHead(text: string): Head {
  if (!text.startsWith('HTTP/')) throw badStatusLine(text)
  const line = STATUS_LINE.exec(text)
  if (line === null) throw badStatusLine(text)
  if (ILLEGAL.test(text.slice(line[0].length))) throw new ProtocolError('BAD_HEADER', 'the response head holds control characters or lines that do not end with CRLF')
  const version = line[1]!
  // Others than 1.0 and 1.1 are seen of servers that misname themselves; their framing is that of HTTP/1.
  if (!VERSIONS.includes(version)) throw new ProtocolError('BAD_VERSION', `expected HTTP/1.0 or HTTP/1.1, got HTTP/${version}`)
  const head: Head = {
    status: Number(line[2]),
    headers: [],
    contentLength: -1,
    chunked: false,
    keepAlive: version === '1.1',
    keepAliveSeconds: Number.NaN,
  }
  if (head.status < 100) throw new ProtocolError('BAD_STATUS_LINE', `${line[2]} is no HTTP status`)
  let coded = false
  let at = line[0].length
  while (at < text.length) {
    const end = text.indexOf('\r\n', at)
    const colon = text.indexOf(':', at)
    if (colon < 0 || colon > end) throw new ProtocolError('BAD_HEADER', 'a header line has no colon')
    const name = text.slice(at, colon)
    const value = trimmed(text, colon + 1, end)
    head.headers.push(name, value)
    switch (KNOWN.get(name) ?? learn(name)) {
      case CONTENT_LENGTH:
        // Two lengths, even equal ones, are how response splitting looks.
        if (head.contentLength >= 0) throw new ProtocolError('BAD_LENGTH', 'the response states its length twice')
        head.contentLength = lengthOf(text.slice(colon + 1, end))
        break
      case TRANSFER_ENCODING:
        coded = true
        head.chunked = /(?:^|,)[ \t]*chunked$/i.test(value)
        break
      case CONNECTION:
        head.keepAlive = keepAliveAfter(value, head.keepAlive)
        break
      case KEEP_ALIVE: {
        const seconds = /(?:^|[,;\s])timeout\s*=\s*"?(\d+)/i.exec(value)
        if (seconds) head.keepAliveSeconds = Number(seconds[1])
      }
    }
    at = end + 2
  }
  if (coded && head.contentLength >= 0) throw new ProtocolError('BAD_LENGTH', 'the response has both Content-Length and Transfer-Encoding')
  if (coded && !head.chunked) head.contentLength = -1
  return head
}

export function badStatusLine(text: string): ProtocolError {
  return new ProtocolError('BAD_STATUS_LINE', `expected a status line, got ${JSON.stringify(text.slice(0, 40))}`)
}

function learn(name: string): number {
  if (!TOKEN.test(name)) throw new ProtocolError('BAD_HEADER', `${JSON.stringify(name.slice(0, 40))} is no header name`)
  const what = SPECIAL[name.toLowerCase()] ?? ORDINARY
  if (KNOWN.size < KNOWN_MOST) KNOWN.set(name, what)
  return what
}

function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function lengthOf(value: string): number {
  const length = Number(value)
  if (!/^[ \t]*\d+ *$/.test(value) || length > Number.MAX_SAFE_INTEGER) throw new ProtocolError('BAD_LENGTH', `${JSON.stringify(value.slice(0, 40))} is no content length`)
  return length
}

function keepAliveAfter(value: string, before: boolean): boolean {
  let keep = before
  for (const token of value.toLowerCase().split(',')) {
    const word = token.trim()
    if (word === 'close') return false
    if (word === 'keep-alive') keep = true
  }
  return keep
}
