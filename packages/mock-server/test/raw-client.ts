import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
  /** The payloads of the chunked encoding's chunks. */
  chunks: string[]
  /** Whether the body came to its promised end. */
  complete: boolean
}

/** An HTTP client that shows what is on the wire: connections, reads, chunks, and how it ended. */
export class RawClient {
  received = ''
  reads: string[] = []
  /** `open`, `end` after a FIN, or the code of the error. */
  ended: string = 'open'
  readonly #socket: Socket
  #wake = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      this.received += bytes.toString('latin1')
      this.reads.push(bytes.toString('latin1'))
      this.#wake()
    })
    socket.on('end', () => this.#end('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => this.#end(error.code ?? 'error'))
    socket.on('close', () => this.#end('end'))
  }

  static async open(server: { port: number }): Promise<RawClient> {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  #end(how: string): void {
    if (this.ended === 'open') this.ended = how
    this.#wake()
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  close(): void {
    this.#socket.destroy()
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.ended !== 'open') return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Waits for the connection's end. */
  async untilEnd(): Promise<string> {
    await this.until(() => false)
    return this.ended
  }

  /** The next response, taken off what was received; cut short where the connection ends. */
  async response(): Promise<RawResponse> {
    await this.until(() => parse(this.received, false) !== undefined)
    const found = parse(this.received, true)
    if (!found) throw new Error(`no response before the connection ended (${this.ended}): ${JSON.stringify(this.received)}`)
    this.received = this.received.slice(found.length)
    return found.response
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<RawResponse> {
    this.write(postText(path, body, headers))
    return this.response()
  }
}

export function postText(path: string, body: unknown, headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const lines = Object.entries({ host: 'test', 'content-length': String(Buffer.byteLength(text)), ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

function parse(text: string, final: boolean): { response: RawResponse; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const lines = text.slice(0, headEnd).split('\r\n')
  const status = Number(lines[0]!.split(' ')[1])
  const headers = Object.fromEntries(lines.slice(1).map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  let at = headEnd + 4
  const done = (body: string, chunks: string[], complete: boolean) =>
    complete || final ? { response: { status, headers, body, chunks, complete }, length: at } : undefined
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks: string[] = []
    for (;;) {
      const lineEnd = text.indexOf('\r\n', at)
      const size = lineEnd < 0 ? NaN : parseInt(text.slice(at, lineEnd), 16)
      if (Number.isNaN(size) || text.length < lineEnd + 2 + size + 2) return done(chunks.join(''), chunks, false)
      at = lineEnd + 2 + size + 2
      if (size === 0) return done(chunks.join(''), chunks, true)
      chunks.push(text.slice(lineEnd + 2, lineEnd + 2 + size))
    }
  }
  const length = headers['content-length'] === undefined ? (status === 100 ? 0 : Infinity) : Number(headers['content-length'])
  const body = text.slice(at, at + length)
  at += body.length
  return done(body, [], body.length === length)
}
