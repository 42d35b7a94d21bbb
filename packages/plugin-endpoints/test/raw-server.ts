import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A TCP server that answers with bytes of the test's choosing. Requests must have no body or a Content-Length. */
export interface RawServer {
  url: URL
  connections: number
  requests: string[]
  /** Sockets that are open now. */
  open: Set<Socket>
  close(): Promise<void>
}

/** `answer` gets each whole request and the socket to answer on. */
export async function rawServer(answer: (request: string, socket: Socket) => void, create: (on: (socket: Socket) => void) => Server = createServer): Promise<RawServer> {
  const open = new Set<Socket>()
  const state: RawServer = { url: new URL('http://127.0.0.1/'), connections: 0, requests: [], open, close: () => Promise.resolve() }
  const server = create((socket) => {
    state.connections++
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      for (;;) {
        const head = text.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        if (text.length < head + 4 + length) return
        const request = text.slice(0, head + 4 + length)
        text = text.slice(request.length)
        state.requests.push(request)
        answer(request, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  state.close = () => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return state
}
