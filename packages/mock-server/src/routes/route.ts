import type { ServerContext } from '../context.js'
import type { Exchange } from '../http/exchange.js'

/** What the server does at one method and path. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path without query; a segment `*` stands for any one segment. */
  readonly path: string
  /** Must end the exchange, now or later. */
  handle(exchange: Exchange, context: ServerContext): void
}
