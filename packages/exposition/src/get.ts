import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Readable } from 'node:stream'

export interface GetOptions {
  /** Stops the request; it then rejects. */
  signal: AbortSignal
  headers?: Readonly<Record<string, string>>
  tls?: { verify: boolean; ca?: string }
  /** Bytes of the body, decompressed, beyond which the request is given up; 64 MiB by default. */
  maxBytes?: number
  /** The clock of the stamps, ns. */
  now: () => number
}

export interface GetResult {
  /** The URL that answered, after redirects. */
  url: string
  status: number
  /** Lower case, no parameters. */
  contentType: string
  body: Buffer
  /** False when only the end of the connection ended the body. */
  complete: boolean
  askedNs: number
  /** When the response head came. */
  firstByteNs: number
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const ACCEPT = 'text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.9,*/*;q=0.1'

/**
 * Fetches small texts from the same place again and again, over a kept connection: no request outlives its signal, no body
 * outgrows its limit, compressed bodies included. User and password in the URL become basic authentication; credentials
 * do not follow a redirect to another origin.
 */
export class Getter {
  readonly #agents = new Map<string, http.Agent>()
  readonly #tls: { verify: boolean; ca?: string } | undefined

  constructor(tls?: { verify: boolean; ca?: string }) {
    this.#tls = tls
  }

  async get(address: string, options: GetOptions): Promise<GetResult> {
    const askedNs = options.now()
    let url = new URL(address)
    let headers = options.headers ?? {}
    for (let hops = 0; ; hops++) {
      const response = await this.#open(url, headers, options.signal)
      const firstByteNs = options.now()
      const status = response.statusCode ?? 0
      const location = response.headers.location
      if (REDIRECTS.has(status) && location !== undefined && hops < 3) {
        response.resume()
        const next = new URL(location, url)
        if (next.origin !== url.origin) headers = {}
        url = next
        continue
      }
      const contentType = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
      const body = await readBody(response, options.maxBytes ?? 64 * 1024 * 1024, options.signal)
      const complete = response.headers['content-length'] !== undefined || response.headers['transfer-encoding'] !== undefined
      return { url: withoutCredentials(url), status, contentType, body, complete, askedNs, firstByteNs }
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  async #open(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      return await this.#send(url, headers, signal)
    } catch (error) {
      // The server closed the kept connection while the request was on its way: once more, on a new one.
      if (signal.aborted || !(error as { reused?: boolean }).reused) throw error
      return this.#send(url, headers, signal)
    }
  }

  #send(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not spoken here, only http: and https:`)
      const module = url.protocol === 'https:' ? https : http
      const request = module.request(url, {
        agent: this.#agent(url.protocol),
        signal,
        ...(url.username || url.password ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` } : {}),
        headers: { accept: ACCEPT, 'accept-encoding': 'gzip, br', 'user-agent': 'aiperf', ...headers },
      })
      request.on('response', resolve)
      request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })))
      request.end()
    })
  }

  #agent(protocol: string): http.Agent {
    let agent = this.#agents.get(protocol)
    if (!agent) {
      const shared = { keepAlive: true, maxSockets: 4, keepAliveMsecs: 1000 }
      const tls = this.#tls
      agent = protocol === 'https:' ? new https.Agent({ ...shared, ...(tls ? { rejectUnauthorized: tls.verify, ...(tls.ca === undefined ? {} : { ca: tls.ca }) } : {}) }) : new http.Agent(shared)
      this.#agents.set(protocol, agent)
    }
    return agent
  }
}

/** The URL as people and files may see it. */
export function withoutCredentials(address: string | URL): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const coding = (response.headers['content-encoding'] ?? 'identity').toLowerCase()
  let stream: Readable = response
  if (coding === 'gzip' || coding === 'deflate' || coding === 'x-gzip') stream = response.pipe(createUnzip())
  else if (coding === 'br') stream = response.pipe(createBrotliDecompress())
  if (stream !== response) response.on('error', (error) => stream.destroy(error))
  const stop = (): void => void stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length
      if (size > maxBytes) throw new Error(`the body is larger than ${maxBytes} bytes`)
      parts.push(part)
    }
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return Buffer.concat(parts, size)
}

/** Once one has answered, the others have this long to do so too, ms. */
const COMPANY_MS = 1000

/** Opens several places at once. One that hangs holds up the others but for a moment: after it, it counts as one that is absent. */
export async function inCompany<T>(places: readonly ((signal: AbortSignal) => Promise<T>)[], answers: (opened: T) => boolean, signal: AbortSignal): Promise<T[]> {
  const left = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.all(places.map(async (open) => {
      const opened = await open(AbortSignal.any([signal, left.signal]))
      if (answers(opened)) timer ??= setTimeout(() => left.abort(new Error(`no answer yet, ${COMPANY_MS / 1000} s after others`)), COMPANY_MS)
      return opened
    }))
  } finally {
    clearTimeout(timer)
  }
}
