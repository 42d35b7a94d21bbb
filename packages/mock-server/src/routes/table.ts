import type { Exchange } from '../http/exchange.js'
import { chatCompletions } from './chat-completions.js'
import { completions } from './completions.js'
import { embeddings } from './embeddings.js'
import { generate, generateStream } from './generate.js'
import { health } from './health.js'
import { imageEdits, imageGenerations } from './images.js'
import { infer } from './infer.js'
import { messages } from './messages.js'
import { metrics } from './metrics.js'
import { models } from './models.js'
import { startProfile, stopProfile } from './profile.js'
import { ranking } from './ranking.js'
import { rerank, rerankV1, teiRerank } from './rerank.js'
import { resetPrefixCache } from './reset-prefix-cache.js'
import { responses } from './responses.js'
import type { Route } from './route.js'
import { solidoPrompt } from './solido.js'
import { transcriptions } from './transcriptions.js'
import { reset, stats, truth } from './truth.js'
import { submitVideo, videoContent, videoJob } from './videos.js'

/** Every route of the server. Adding one is a file and a row. */
export const ROUTES: readonly Route[] = [
  chatCompletions,
  completions,
  responses,
  messages,
  generate,
  generateStream,
  solidoPrompt,
  embeddings,
  rerank,
  rerankV1,
  teiRerank,
  ranking,
  imageGenerations,
  imageEdits,
  transcriptions,
  infer,
  submitVideo,
  videoJob,
  videoContent,
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
  readonly #patterns: { matches: RegExp; methods: ReadonlyMap<string, Route> }[] = []

  /** Of two routes with the same method and path, the later one counts. */
  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const methods = this.#byPath.get(route.path) ?? new Map<string, Route>()
      this.#byPath.set(route.path, methods.set(route.method, route))
    }
    for (const [path, methods] of this.#byPath) {
      if (path.includes('*')) this.#patterns.push({ matches: new RegExp(`^${path.split('*').map(literal).join('[^/]+')}$`), methods })
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
    const pattern = this.#patterns.find(({ matches }) => matches.test(path))
    if (pattern) return pattern.methods
    const prefix = path.search(/\/v[12]\//)
    return prefix > 0 ? this.#methodsAt(path.slice(prefix)) : undefined
  }
}

function literal(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
