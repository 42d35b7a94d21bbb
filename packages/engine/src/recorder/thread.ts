import { closeSync, createWriteStream, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { EndpointMeta, Tokenizer } from '@aiperf/core'
import { createHost } from '@aiperf/core/host'
import type { FromRecorder, RecorderData, ToRecord, ToRecorder } from '../control/messages.js'
import { endpointContext } from '../control/endpoint.js'
import { prepare } from '../prepare/prepare.js'
import { loadTokenizer } from '../prepare/tokenizer.js'
import { writeInputs } from '../store/inputs.js'
import { createNow } from '../shared/clock.js'
import { createCourtesy } from '../shared/courtesy.js'
import { packFailure } from '../shared/failure.js'
import { prioritise, watchHealth } from '../shared/health.js'
import { keepsRaw } from '../shared/keeps-raw.js'
import { readOverflow } from '../shared/overflow-file.js'
import { RUN } from '../shared/words.js'
import { Store } from '../store/reader.js'
import { Recorder } from './recorder.js'

const FLUSH_MS = 1000
/** The first rows are written soon: a run that ends badly at once has something to show. */
const FIRST_FLUSH_MS = 100
const LIVE_MS = 250
const TOKENIZER_HASH_MS = 500

const data = workerData as RecorderData
const port = parentPort!
const post = (message: FromRecorder): void => port.postMessage(message)
const fail = (error: unknown): void => post(packFailure(error))
const host = createHost(data.index)
const { model } = data
const health = watchHealth('recorder', data.id)

let tokenizer: Promise<Tokenizer> | undefined
const getTokenizer = (): Promise<Tokenizer> => (tokenizer ??= loadTokenizer(host, model))
const endpointMeta = host.find('endpoint', model.endpoint.type).meta as unknown as EndpointMeta
const counts = !model.endpoint.useServerTokenCount && endpointMeta.producesTokens

const giveWay = data.pace && createCourtesy({ pace: data.pace, workers: data.allWorkers, runWords: data.runWords, now: createNow(data.origin) })
let recorder: Recorder | undefined
let writer: { append(columns: import('../journal/batch.js').FactBatch): void; close(): void } | undefined
const early: { arena: Exclude<ToRecord, 'end'>; from: MessagePort }[] = []
let open = data.workers.length
let finishing = false

async function start(store: Store): Promise<void> {
  const endpoint = await host.activate('endpoint', model.endpoint.type, endpointContext(model))
  const path = join(data.journal, `records-${data.id}.arrows`)
  // A folder that cannot be written to is told before the first request, even if the writer comes later.
  closeSync(openSync(path, 'w'))
  recorder = new Recorder({
    id: data.id,
    endpoint,
    store,
    tokenizer: counts ? await getTokenizer() : undefined,
    streaming: model.endpoint.streaming,
    useServerTokenCount: model.endpoint.useServerTokenCount,
    perChunkUsage: model.endpoint.perChunkUsage,
    phaseWords: data.phaseWords,
    flush: (columns) => writer!.append(columns),
    giveWay,
  })
  prioritise('recorder')
  loadWriter = () => {
    loadWriter = undefined
    void openWriter(path).catch(fail)
  }
  post({ type: 'ready' })
  if (early.length > 0 || finishing) loadWriter()
  setInterval(() => {
    giveWay?.()
    post({ type: 'live', state: recorder!.live.state() })
  }, LIVE_MS).unref()
}

/** Set until the first arena comes: the writer's code is loaded while the first requests are under way, not before. */
let loadWriter: (() => void) | undefined

async function openWriter(path: string): Promise<void> {
  const { JournalWriter } = await import('../journal/write.js')
  writer = new JournalWriter(path)
  for (const { arena, from } of early.splice(0)) take(arena, from)
  const flush = (): void => {
    giveWay?.()
    guard(() => recorder!.flush())
  }
  setTimeout(flush, FIRST_FLUSH_MS).unref()
  setInterval(flush, FLUSH_MS).unref()
  if (finishing) finish()
}

const raw = keepsRaw(model) ? openSync(join(data.journal, `raw-${data.id}.arena`), 'w') : undefined

function take(arena: Exclude<ToRecord, 'end'>, from: MessagePort): void {
  if (!recorder || !writer) {
    early.push({ arena, from })
    loadWriter?.()
    return
  }
  const { used } = arena
  guard(() => {
    const buffer = 'buffer' in arena ? arena.buffer : readOverflow(arena.fd, arena.offset, used)
    if (raw !== undefined) {
      const head = new Float64Array([used])
      writeSync(raw, new Uint8Array(head.buffer))
      writeSync(raw, new Uint8Array(buffer, 0, used))
    }
    recorder!.read(buffer, used)
  })
  Atomics.sub(data.runWords, RUN.backlog, 1)
  if ('buffer' in arena) from.postMessage(arena.buffer, [arena.buffer])
  else from.postMessage(undefined)
}

/** A fault while recording is told once, and what was recorded stays. */
let failed = false
function guard(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!failed) fail(error)
    failed = true
  }
}

for (const { port: from } of data.workers) {
  from.on('message', (message: ToRecord) => {
    if (message === 'end') {
      open--
      if (finishing) finish()
    } else take(message, from)
  })
}

function finish(): void {
  finishing = true
  if (open > 0) return
  // Without a recorder the run ended before it began.
  if (recorder && !writer) return loadWriter?.()
  tellTokenizer?.()
  stopMaking?.()
  guard(() => {
    recorder?.flush()
    writer?.close()
  })
  post({ type: 'finished', health: health.read(), state: recorder?.live.state() ?? [] })
}

port.on('message', (message: ToRecorder) => {
  if (message.type === 'prepare') void runPrepare().catch(fail)
  else if (message.type === 'store') void start(new Store(message.shared)).catch(fail)
  else if (message.type === 'window') post({ type: 'window', counts: recorder!.live.window(message.phase, message.countFromNs) })
  else if (message.type === 'finish') finish()
})

let tellTokenizer: (() => void) | undefined

/** Ends the making of bodies, and frees what they took. */
let stopMaking: (() => void) | undefined

async function runPrepare(): Promise<void> {
  // The tokenizer is wanted in any case: its load goes on while the loader starts.
  if (counts) void getTokenizer().catch(() => {})
  const endpoint = await host.activate('endpoint', model.endpoint.type, endpointContext(model))
  const { shared, report, maker, bytes = Infinity, close } = await prepare({
    host,
    model,
    seed: data.seed,
    folder: data.journal,
    phaseWords: data.phaseWords,
    endpoint,
    tokenizer: getTokenizer,
    progress: (what, done, total) => post({ type: 'preparing', what, done, ...(total === undefined ? {} : { total }) }),
  })
  const used = await tokenizer
  if (used) report.tokenizer = { name: used.name }
  post({ type: 'prepared', shared, report })
  if (used) {
    // The hash is of megabytes: not before the first requests.
    const timer = setTimeout(() => tellTokenizer?.(), TOKENIZER_HASH_MS).unref()
    tellTokenizer = () => {
      clearTimeout(timer)
      tellTokenizer = undefined
      post({ type: 'tokenizer', tokenizer: { name: used.name, ...(used.hash === undefined ? {} : { hash: used.hash }) } })
    }
  }
  const making = maker?.run().catch(fail)
  const store = new Store(shared)
  await start(store)
  const writing = new Promise((resolve) => setImmediate(() => void writeInputs(createWriteStream(join(data.journal, 'inputs.bin')), store, bytes).catch(fail).finally(() => resolve(undefined))))
  stopMaking = () => {
    maker?.stop()
    void Promise.all([making, writing]).then(close)
  }
}
