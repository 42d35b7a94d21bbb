import type { Target, Transport } from '@aiperf/core'
import { afterEach } from 'vitest'
import { lean } from './exchange.js'
import { rawServer, type RawServer } from './raw-server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Does something after the test, last first. */
export function afterwards(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/** A server that answers so, and the lean transport to talk to it; both end with the test. */
export async function setUp(answer: Parameters<typeof rawServer>[0], options?: Parameters<typeof lean>[0]): Promise<{ server: RawServer; transport: Transport; target: Target }> {
  const server = await rawServer(answer)
  const transport = await lean(options)
  afterwards(() => server.close())
  afterwards(() => transport.close())
  return { server, transport, target: { url: server.url } }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\nhi'
export const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
