import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom, type Endpoint, type Transport, type UrlStrategy } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import { endpointContext } from '../control/endpoint.js'
import { sentHeaders } from '../control/headers.js'
import type { DatasetSizes, FromWorker, ArmPhase, ToWorker, WorkerData } from '../control/messages.js'
import { createPlan } from '../control/plan.js'
import { targetsOf } from '../control/targets.js'
import { ArenaWriter } from '../shared/arena.js'
import { createNow } from '../shared/clock.js'
import { packFailure } from '../shared/failure.js'
import { giveWay, prioritise, watchHealth } from '../shared/health.js'
import { keepsRaw } from '../shared/keeps-raw.js'
import { RUN } from '../shared/words.js'
import { Store } from '../store/reader.js'
import { DataPlane } from './plane.js'
import { RecorderLink } from './recorder-link.js'
import type { WorkerPhase } from './setup.js'

/** An arena that is not full is handed on after this time. */
const FLUSH_MS = 25

const data = workerData as WorkerData
const port = parentPort!
const post = (message: FromWorker): void => port.postMessage(message)
const fail = (error: unknown): void => post(packFailure(error))
const { model, runWords, ownWords } = data
const now = createNow(data.origin)
const host = createHost(data.index)
const health = watchHealth('worker', data.id)
const goesFirst = prioritise('worker')

const link = new RecorderLink({
  port: data.recorder, runWords, ownWords, path: join(data.journal, `waiting-${data.id}.arena`), recycle: (buffer) => arena.recycle(buffer), caughtUp: () => plane?.refill(),
})
const arena = new ArenaWriter((buffer, used) => link.send(buffer, used))

let plane: DataPlane | undefined
let store: Store | undefined
let sizes: DatasetSizes | undefined
let transport: Transport
let endpoint: Endpoint
const targets = targetsOf(model, host)

const loading = (async () => {
  ;[transport, endpoint] = await Promise.all([
    host.activate('transport', model.transport.type, { options: model.transport.options, now }),
    host.activate('endpoint', model.endpoint.type, endpointContext(model)),
  ])
  post({ type: 'ready' })
})()
loading.catch(fail)

/** Done when there is a plane. */
let settingUp: Promise<void>

async function setUp(shared: import('../store/layout.js').StoreShared): Promise<void> {
  await loading
  store = new Store(shared)
  const urlStrategy: UrlStrategy = await host.activate('url_strategy', model.endpoint.urlStrategy, {
    urls: model.endpoint.urls.length,
    inFlight: (url) => Atomics.load(data.urlWords, url),
    random: (name) => createRandom(data.seed, name),
    now,
  })
  const headers = sentHeaders(model, store.shared.wire, host)
  // What runs from here on is compiled before its first use, not interpreted: the first requests are measured too.
  setFlagsFromString('--always-sparkplug')
  plane = new DataPlane({
    id: data.id,
    workers: data.workers,
    now,
    store,
    transport,
    targets,
    paths: targets.map((t) => t.url.pathname + t.url.search),
    urlStrategy,
    endpoint,
    streaming: model.endpoint.streaming,
    runWords,
    ownWords,
    urlWords: data.urlWords,
    orders: data.orders,
    pace: data.pace,
    giveWay: data.sharesCore && data.hasPacer && !goesFirst ? giveWay : undefined,
    recorderIsBehind: () => link.isBehind,
    arena,
    fixedHeaders: headers.fixed,
    sessionHeaders: headers.session,
    runHex: data.runHex,
    connection: model.endpoint.connectionReuse,
    timeoutMs: model.endpoint.timeoutSeconds * 1000,
    keepRaw: keepsRaw(model),
    cacheBust: model.dataset.cacheBust !== 'none',
    perChunkUsage: model.endpoint.perChunkUsage,
    hasPacer: data.hasPacer,
    maybeOver: (phase) => post({ type: 'maybe-over', phase }),
  })
  data.pacer.on('message', () => plane!.called())
}

const armed = new Map<number, WorkerPhase>()

function cancelling(phase: string, { ratePct, delaySeconds }: { ratePct: number; delaySeconds: number }): NonNullable<WorkerPhase['cancellation']> {
  const draw = createRandom(data.seed, `${phase}:timing.request.cancellation`)
  return { chance: (credit) => draw.fork(credit).next() < ratePct / 100, delayNs: delaySeconds * 1e9 }
}

async function arm(message: ArmPhase): Promise<void> {
  // Whoever says that it is armed is told to go, and must be able to.
  await settingUp
  const phaseModel = model.phases[message.phase]!
  const { plan, sampler } = await createPlan(host, model, phaseModel, store!, sizes!, data.seed)
  const { cancellation } = phaseModel
  const phase: WorkerPhase = {
    index: message.phase,
    kind: phaseModel.kind,
    words: data.phaseWords[message.phase]!,
    arrivals: plan.arrivals.kind,
    ...(message.ring ? { ring: message.ring } : {}),
    nextTurn: plan.nextTurn,
    sampler,
    startNs: 0,
    share: () => {
      const limit = Atomics.load(runWords, RUN.slotLimit)
      return limit < 0 ? Infinity : Math.floor((limit + data.workers - 1 - data.id) / data.workers)
    },
    cancellation: cancellation && phaseModel.kind === 'profiling' ? cancelling(phaseModel.name, cancellation) : undefined,
    onTurnError: phaseModel.onTurnError,
  }
  armed.set(message.phase, phase)
  post({ type: 'armed', phase: message.phase })
}

function go(index: number, startNs: number): void {
  const phase = armed.get(index)!
  phase.startNs = startNs
  plane!.start(phase)
}

async function open(connections: number): Promise<void> {
  const each = Math.ceil(connections / targets.length)
  if (each > 0 && model.endpoint.connectionReuse === 'pooled') await Promise.all(targets.map((target) => transport.open(target, each).catch(() => {})))
  health.restart()
  post({ type: 'opened', open: each })
}

setInterval(() => arena.flush(), FLUSH_MS).unref()
setInterval(() => post({ type: 'health', health: health.read() }), 1000).unref()

async function finish(): Promise<void> {
  arena.flush()
  link.end()
  post({ type: 'finished', health: health.read() })
  await transport.close()
}

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'store':
      sizes = message.sizes
      settingUp = setUp(message.shared)
      settingUp.catch(fail)
      break
    case 'open':
      void open(message.connections).catch(fail)
      break
    case 'arm':
      void arm(message).catch(fail)
      break
    case 'go':
      go(message.phase, message.startNs)
      break
    case 'refill':
      plane?.refill()
      break
    case 'settle':
      plane?.settle(message.phase)
      break
    case 'cancel':
      plane?.cancel(message.phase)
      break
    case 'finish':
      void finish().catch(fail)
  }
})
