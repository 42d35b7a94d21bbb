import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status: number
  content_type: string
  /** Offsets where the body is cut into packets, `every_byte`, or null. */
  splits: number[] | 'every_byte' | null
  close: 'clean' | 'abrupt'
  /** Where a redirect leads. */
  location?: string
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A server that answers every POST with these bytes, cut as told. */
export async function replyWith(body: Buffer, how: Reply): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    request.resume()
    void send(response, body, how)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function send(response: ServerResponse, body: Buffer, how: Reply): Promise<void> {
  response.writeHead(how.status, { 'content-type': how.content_type, ...(how.location !== undefined && { location: how.location }) })
  response.socket?.setNoDelay(true)
  const cuts = how.splits === 'every_byte' ? Array.from({ length: body.length - 1 }, (_, i) => i + 1) : (how.splits ?? [])
  let from = 0
  for (const at of [...cuts, body.length]) {
    response.write(body.subarray(from, at))
    from = at
    if (how.splits !== 'every_byte') await pause(5)
    else if (at % 16 === 0) await pause(0)
  }
  if (how.close === 'clean') response.end()
  else {
    await pause(50)
    response.socket?.resetAndDestroy()
  }
}
