import { truthLine } from '../truth/record.js'
import type { Route } from './route.js'

/** GET /__truth: the truth records in memory, as JSON lines. */
export const truth: Route = {
  method: 'GET',
  path: '/__truth',
  handle: (exchange, context) => exchange.respond(200, 'application/x-ndjson', context.truth.records().map(truthLine).join('')),
}

/** GET /__stats: the counts, as JSON. */
export const stats: Route = {
  method: 'GET',
  path: '/__stats',
  handle: (exchange, context) => exchange.respondJson(200, context.traffic.stats(context.anchor)),
}

/** POST /__reset: forgets truth and counts, and numbers requests from 0 again. Metrics and the prefix cache stay. */
export const reset: Route = {
  method: 'POST',
  path: '/__reset',
  handle(exchange, context) {
    context.truth.reset()
    context.traffic.reset()
    exchange.respondJson(200, {})
  },
}
