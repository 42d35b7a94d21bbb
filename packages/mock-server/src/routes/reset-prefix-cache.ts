import type { Route } from './route.js'

/** POST /reset_prefix_cache: forgets every cached block; running requests keep what they have. */
export const resetPrefixCache: Route = {
  method: 'POST',
  path: '/reset_prefix_cache',
  handle(exchange, { engine }) {
    engine?.cache?.clear()
    exchange.respond(200, 'text/plain', '')
  },
}
