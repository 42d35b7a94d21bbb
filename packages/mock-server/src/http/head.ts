import { HttpRequest } from './request.js'

/** A request that cannot be answered but by an error status and the end of the connection. */
export class BadRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** What the head says about the body that follows. */
export interface ParsedHead {
  readonly request: HttpRequest
  /** Length of the body; -1 for a body in chunks. */
  readonly bodyBytes: number
  readonly expectContinue: boolean
}

const REQUEST_LINE = /^([A-Z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const SPACE = 32
const TAB = 9

/** Reads a request's head (RFC 9112), given as Latin-1 without the empty line at its end. */
export function parseHead(text: string): ParsedHead {
  const firstEnd = endOfLine(text, 0)
  const start = REQUEST_LINE.exec(text.slice(0, firstEnd))
  if (!start) throw new BadRequest(400, 'the first line is not METHOD TARGET HTTP/1.1')
  const names: string[] = []
  const values: string[] = []
  for (let at = firstEnd + 2; at < text.length; ) {
    const end = endOfLine(text, at)
    const colon = text.indexOf(':', at)
    const name = text.slice(at, Math.max(at, colon))
    if (colon > end || !TOKEN.test(name)) throw new BadRequest(400, 'a header line is not NAME: VALUE')
    names.push(name.toLowerCase())
    values.push(trimmed(text, colon + 1, end))
    at = end + 2
  }
  const request = new HttpRequest(start[1]!, start[2]!, start[3] === '0' ? '1.0' : '1.1', names, values)
  const connection = request.header('connection')?.toLowerCase() ?? ''
  if (connection.includes('close')) request.keepAlive = false
  else if (connection.includes('keep-alive')) request.keepAlive = true
  return { request, bodyBytes: bodyBytes(request), expectContinue: request.header('expect')?.toLowerCase() === '100-continue' }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r\n', from)
  return end < 0 ? text.length : end
}

function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB
}

function bodyBytes(request: HttpRequest): number {
  const encoding = request.header('transfer-encoding')
  const length = request.header('content-length')
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked') throw new BadRequest(501, 'a transfer-encoding other than chunked')
    // Both would let two readers disagree on where the request ends.
    if (length !== undefined) throw new BadRequest(400, 'content-length beside transfer-encoding')
    return -1
  }
  if (length === undefined) return 0
  const isAmbiguous = request.names.some((name, index) => name === 'content-length' && request.values[index] !== length)
  if (!/^\d{1,15}$/.test(length) || isAmbiguous) throw new BadRequest(400, 'bad content-length')
  return Number(length)
}
