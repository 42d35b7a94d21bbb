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
  readonly body: { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'chunked' }
  readonly expectContinue: boolean
}

const REQUEST_LINE = /^([A-Z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const NO_BODY = { kind: 'length', bytes: 0 } as const
const CHUNKED = { kind: 'chunked' } as const

/** Reads a request's head (RFC 9112), given as Latin-1 without the empty line at its end. */
export function parseHead(text: string): ParsedHead {
  const lines = text.split('\r\n')
  const start = REQUEST_LINE.exec(lines[0]!)
  if (!start) throw new BadRequest(400, 'the first line is not METHOD TARGET HTTP/1.1')
  const names: string[] = []
  const values: string[] = []
  let length = -1
  let chunked = false
  let expectContinue = false
  let connection = ''
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!
    const colon = line.indexOf(':')
    const rawName = line.slice(0, Math.max(colon, 0))
    if (!TOKEN.test(rawName) || line.includes('\n')) throw new BadRequest(400, 'a header line is not NAME: VALUE')
    const name = rawName.toLowerCase()
    const value = line.slice(colon + 1).trim()
    names.push(name)
    values.push(value)
    if (name === 'content-length') {
      if (!/^\d{1,15}$/.test(value) || (length >= 0 && length !== Number(value))) throw new BadRequest(400, 'bad content-length')
      length = Number(value)
    } else if (name === 'transfer-encoding') {
      if (value.toLowerCase() !== 'chunked') throw new BadRequest(501, 'a transfer-encoding other than chunked')
      chunked = true
    } else if (name === 'connection') connection = value.toLowerCase()
    else if (name === 'expect') expectContinue = value.toLowerCase() === '100-continue'
  }
  // Both would let two readers disagree on where the request ends.
  if (chunked && length >= 0) throw new BadRequest(400, 'content-length beside transfer-encoding')
  const request = new HttpRequest(start[1]!, start[2]!, start[3] === '0' ? '1.0' : '1.1', names, values)
  if (connection.includes('close')) request.keepAlive = false
  else if (connection.includes('keep-alive')) request.keepAlive = true
  const body = chunked ? CHUNKED : length > 0 ? ({ kind: 'length', bytes: length } as const) : NO_BODY
  return { request, body, expectContinue }
}
