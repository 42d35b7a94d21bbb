import type { Route } from './route.js'

/** GET /v1/models */
export const models: Route = {
  method: 'GET',
  path: '/v1/models',
  handle(exchange, { options }) {
    const data = options.models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'aiperf-mock-server' }))
    exchange.respondJson(200, { object: 'list', data })
  },
}
