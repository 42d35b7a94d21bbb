import { createServer, type AddressInfo, type Server } from 'node:net'
import { AnswerPlanner } from './answer/planner.js'
import { VideoJobs } from './answer/video-jobs.js'
import type { ServerContext } from './context.js'
import { faultPlanner } from './faults/plan.js'
import { Connection } from './http/connection.js'
import type { Exchange } from './http/exchange.js'
import { VllmMetrics } from './metrics/vllm.js'
import { Conversations } from './model/conversations.js'
import { Engine } from './model/engine.js'
import { resolveOptions, type ResolvedOptions } from './options/resolve.js'
import type { MockServerOptions } from './options/types.js'
import { Pacer } from './pacing/pacer.js'
import { createWaker } from './pacing/waker.js'
import { ROUTES, RouteTable } from './routes/table.js'
import { nowMs, takeAnchor } from './timing/clock.js'
import { TokenTimes } from './timing/token-times.js'
import type { TruthRecord } from './truth/record.js'
import { Ledger } from './truth/ledger.js'
import { TruthLog } from './truth/log.js'
import { Traffic, type ServerStats } from './truth/traffic.js'

const BACKLOG = 4096

/** A running mock server. */
export interface MockServer extends AsyncDisposable {
  /** `http://HOST:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** The truth records in memory, in order of arrival. */
  truth(): TruthRecord[]
  stats(): ServerStats
  /** Forgets truth and counts, and numbers requests from 0 again. */
  reset(): void
  /** Stops listening, breaks off what is open, and writes the log to its end. Rejects where that could not be written. */
  close(): Promise<void>
}

/**
 * Starts a mock server in this thread: the main one, a worker thread, or a child process.
 *
 * Rejects with a `MockServerOptionError` that says all that is wrong with the options, and with the system's error where
 * the port is taken or the log cannot be opened.
 */
export async function startMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const context = createContext(resolveOptions(options))
  const connections = new Set<Connection>()
  const server = createListener(context, connections)
  const idleTimer = closeIdle(connections, context.options.idleTimeoutMs)
  const close = async () => {
    clearInterval(idleTimer)
    // Calls back with an error, to be ignored, where it never came to listen.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const { socket } of connections) socket.destroy()
    await closed
    context.pacer.close()
    await context.truth.close()
  }
  try {
    if (context.options.log !== undefined) await context.truth.open(context.options.log)
    await listen(server, context.options)
  } catch (error) {
    await close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  const { host } = context.options
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    truth: () => context.truth.records(),
    stats: () => context.traffic.stats(context.anchor),
    reset() {
      context.truth.reset()
      context.traffic.reset()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createContext(options: ResolvedOptions): ServerContext {
  const anchor = takeAnchor()
  const traffic = new Traffic()
  const metrics = new VllmMetrics()
  const truth = new TruthLog(options.truthMax, anchor)
  const pacer = new Pacer(createWaker(options.pacing))
  return {
    options,
    anchor,
    traffic,
    metrics,
    truth,
    pacer,
    times: new TokenTimes(options),
    planner: new AnswerPlanner(options),
    faults: faultPlanner(options.faults, options.seed),
    engine: options.model && new Engine(options.model, pacer, traffic, metrics),
    conversations: new Conversations(),
    videos: new VideoJobs(options.videoMs),
    ledger: new Ledger(options, traffic, truth, metrics),
  }
}

function createListener(context: ServerContext, connections: Set<Connection>): Server {
  const routes = new RouteTable([...ROUTES, ...context.options.routes])
  const handle = (exchange: Exchange) => dispatch(exchange, context, routes)
  let accepted = 0
  return createServer({ noDelay: true }, (socket) => {
    context.traffic.connected()
    const connection = new Connection(socket, accepted++, context.options, handle)
    connections.add(connection)
    socket.on('close', () => {
      context.traffic.open--
      connections.delete(connection)
    })
  })
}

function dispatch(exchange: Exchange, context: ServerContext, routes: RouteTable): void {
  const route = routes.find(exchange)
  if ('allow' in route) {
    const known = route.allow.length > 0
    exchange.respondError(known ? 405 : 404, `${exchange.request.method} ${exchange.request.path}: there is no such route`, known ? `\r\nallow: ${route.allow.join(', ')}` : '')
    return
  }
  try {
    route.handle(exchange, context)
  } catch (error) {
    exchange.respondError(500, `the mock server has failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function listen(server: Server, { host, port }: ResolvedOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Closes idle connections without notice, as servers do; `limitMs` 0 for never. */
function closeIdle(connections: ReadonlySet<Connection>, limitMs: number): NodeJS.Timeout | undefined {
  if (limitMs === 0) return undefined
  const sweep = () => {
    const untilMs = nowMs() - limitMs
    for (const connection of connections) if (connection.idle && connection.idleSinceMs <= untilMs) connection.socket.destroySoon()
  }
  return setInterval(sweep, Math.max(5, Math.min(250, limitMs / 4))).unref()
}

