import type { Route } from './route.js'

/** GET /metrics: the Prometheus text format. */
export const metrics: Route = {
  method: 'GET',
  path: '/metrics',
  handle(exchange, { engine, metrics: counted, options, traffic }) {
    const load = engine ?? { running: traffic.inFlight, waiting: 0, kvCacheUsage: 0 }
    exchange.respond(200, 'text/plain; version=0.0.4; charset=utf-8', counted.expose(options.models[0]!, load))
  },
}
