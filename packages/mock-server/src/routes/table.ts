import type { Exchange } from '../http/exchange.js'
import { chatCompletions } from './chat-completions.js'
import { completions } from './completions.js'
import { embeddings } from './embeddings.js'
import { health } from './health.js'
import { metrics } from './metrics.js'
import { models } from './models.js'
import { startProfile, stopProfile } from './profile.js'
import { resetPrefixCache } from './reset-prefix-cache.js'
import type { Route } from './route.js'
import { reset, stats, truth } from './truth.js'

/** Every route of the server. Adding one is a file and a row. */
export const ROUTES: readonly Route[] = [
  chatCompletions,
  completions,
  embeddings,
  models,
  health,
  metrics,
  resetPrefixCache,
  startProfile,
  stopProfile,
  truth,
  stats,
  reset,
]

/** Finds the route of a request; also behind a prefix, as in `/proxy/v1/chat/completions`. */
export class RouteTable {
  readonly #byPath = new Map<string, Map<string, Route>>()

  /** Of two routes with the same method and path, the later one counts. */
  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const methods = this.#byPath.get(route.path) ?? new Map<string, Route>()
      this.#byPath.set(route.path, methods.set(route.method, route))
    }
  }

  /** The route, or what to answer where there is none: 404, or 405 with the methods allowed. */
  find({ request: { method, path } }: Exchange): Route | { readonly allow: readonly string[] } {
    const methods = this.#methodsAt(path)
    const route = methods?.get(method === 'HEAD' ? 'GET' : method)
    return route ?? { allow: [...(methods?.keys() ?? [])] }
  }

  #methodsAt(path: string): ReadonlyMap<string, Route> | undefined {
    const exact = this.#byPath.get(path)
    if (exact) return exact
    const parent = this.#byPath.get(`${path.slice(0, path.lastIndexOf('/'))}/*`)
    if (parent) return parent
    const prefix = path.indexOf('/v1/')
    return prefix > 0 ? this.#methodsAt(path.slice(prefix)) : undefined
  }
}
