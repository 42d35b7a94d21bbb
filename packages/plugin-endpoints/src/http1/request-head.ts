import type { OutgoingRequest } from '@aiperf/core'
import { ProtocolError } from './protocol-error.js'

/** Headers that this client states itself; what a user gives for them is not sent. */
const OWN = new Set(['content-length'])
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** What must not stand in a header value: line ends and other control characters, and characters beyond Latin-1. */
const ILLEGAL_VALUE = /[^\t\x20-\x7e\x80-\xff]/
const ILLEGAL_PATH = /[^\x21-\x7e\x80-\xff]/

/** A serialised beginning of heads: request line, Host and the fixed headers. */
interface Prefix {
  method: string
  path: string
  authority: string
  bytes: Buffer
  hasConnection: boolean
  /** Whether a header name (as spelled) replaces one of the prefix. */
  replaces: Map<string, boolean>
}

/** Serialises request heads into one buffer that is used again and again. */
export class RequestHeads {
  /** Holds the last head, from 0; a small body may be put behind it. Whoever keeps it calls `renew`. */
  scratch = Buffer.allocUnsafeSlow(64 * 1024)
  readonly #prefixes = new WeakMap<readonly string[], Prefix[]>()

  renew(): void {
    this.scratch = Buffer.allocUnsafeSlow(this.scratch.length)
  }

  /** Writes the head of `request` to the front of `scratch`; returns its length. Throws `ProtocolError`. */
  write(request: OutgoingRequest, authority: string, close: boolean): number {
    const prefix = this.#prefix(request, authority)
    const { headers } = request
    let rest = ''
    let connection = prefix.hasConnection
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!
      const value = headers[i + 1]!
      let replaces = prefix.replaces.get(name)
      if (replaces === undefined) replaces = this.#learn(prefix, request, name)
      if (replaces) return this.#writeReplaced(request, authority, close)
      if (ILLEGAL_VALUE.test(value)) throw illegal(name)
      const lower = name.length === 10 ? name.toLowerCase() : ''
      if (lower === 'connection') connection = true
      rest += `${name}: ${value}\r\n`
    }
    if (close && !connection) rest += 'Connection: close\r\n'
    const { body, method } = request
    if (body !== undefined || (method !== 'GET' && method !== 'HEAD')) rest += `Content-Length: ${body === undefined ? 0 : body.length}\r\n`
    rest += '\r\n'
    const size = prefix.bytes.length + rest.length
    if (size > this.scratch.length) throw new ProtocolError('HEAD_TOO_LARGE', `the request head is larger than ${this.scratch.length} bytes`)
    this.scratch.set(prefix.bytes)
    this.scratch.write(rest, prefix.bytes.length, 'latin1')
    return size
  }

  #prefix(request: OutgoingRequest, authority: string): Prefix {
    let list = this.#prefixes.get(request.fixedHeaders)
    if (list === undefined) this.#prefixes.set(request.fixedHeaders, (list = []))
    for (const p of list) if (p.path === request.path && p.method === request.method && p.authority === authority) return p
    const prefix = makePrefix(request.fixedHeaders, request.method, request.path, authority)
    // Paths may differ per request (polling): the list must not grow with the run.
    if (list.length >= 64) list.length = 0
    list.push(prefix)
    return prefix
  }

  /** Judges a header name of a request once per spelling. */
  #learn(prefix: Prefix, request: OutgoingRequest, name: string): boolean {
    if (!TOKEN.test(name)) throw illegal(name)
    const lower = name.toLowerCase()
    let replaces = lower === 'host' || OWN.has(lower) || lower === 'transfer-encoding'
    for (let i = 0; i < request.fixedHeaders.length; i += 2) if (request.fixedHeaders[i]!.toLowerCase() === lower) replaces = true
    if (prefix.replaces.size < 256) prefix.replaces.set(name, replaces)
    return replaces
  }

  /** The rare case: a request overrides fixed headers. Serialised from scratch. */
  #writeReplaced(request: OutgoingRequest, authority: string, close: boolean): number {
    const merged: string[] = []
    for (const list of [request.fixedHeaders, request.headers]) {
      for (let i = 0; i < list.length; i += 2) {
        const lower = list[i]!.toLowerCase()
        if (list === request.headers) {
          for (let k = merged.length - 2; k >= 0; k -= 2) if (merged[k]!.toLowerCase() === lower) merged.splice(k, 2)
        }
        merged.push(list[i]!, list[i + 1]!)
      }
    }
    return this.write({ ...request, fixedHeaders: merged, headers: [] }, authority, close)
  }
}

function makePrefix(fixed: readonly string[], method: string, path: string, authority: string): Prefix {
  if (ILLEGAL_PATH.test(path) || !path.startsWith('/')) throw new ProtocolError('BAD_PATH', `${JSON.stringify(path)} is no path of a URL`)
  if (!TOKEN.test(method)) throw new ProtocolError('BAD_METHOD', `${JSON.stringify(method)} is no HTTP method`)
  let host = authority
  let lines = ''
  let hasConnection = false
  for (let i = 0; i < fixed.length; i += 2) {
    const name = fixed[i]!
    const value = fixed[i + 1]!
    if (!TOKEN.test(name) || ILLEGAL_VALUE.test(value)) throw illegal(name)
    const lower = name.toLowerCase()
    if (lower === 'transfer-encoding') throw new ProtocolError('BAD_HEADER', 'this transport states the length of a body and cannot send Transfer-Encoding')
    if (OWN.has(lower)) continue
    if (lower === 'connection') hasConnection = true
    if (lower === 'host') host = value
    else lines += `${name}: ${value}\r\n`
  }
  const text = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}`
  return { method, path, authority, bytes: Buffer.from(text, 'latin1'), hasConnection, replaces: new Map() }
}

function illegal(name: string): ProtocolError {
  return new ProtocolError('BAD_HEADER', `header ${JSON.stringify(name.slice(0, 80))} holds characters that HTTP does not allow`)
}
