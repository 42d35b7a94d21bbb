import type { Route } from './route.js'

/** GET /health: 200 as soon as the server listens. */
export const health: Route = {
  method: 'GET',
  path: '/health',
  handle: (exchange) => exchange.respond(200, 'text/plain', ''),
}
