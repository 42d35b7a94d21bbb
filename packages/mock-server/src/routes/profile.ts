import type { Route } from './route.js'

/** POST /start_profile: taken note of by nobody, as a server without a profiler would. */
export const startProfile: Route = { method: 'POST', path: '/start_profile', handle: (exchange) => exchange.respond(200, 'text/plain', '') }

/** POST /stop_profile */
export const stopProfile: Route = { ...startProfile, path: '/stop_profile' }
