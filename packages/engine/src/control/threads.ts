import { availableParallelism } from 'node:os'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { AiperfError } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import { createOrderRing, createPace } from '../shared/arrivals.js'
import { createNow } from '../shared/clock.js'
import { createCourtesy } from '../shared/courtesy.js'
import { unpackFailure } from '../shared/failure.js'
import { lowerHelpers } from '../shared/health.js'
import { RUN, sharedWords, WORKER_WORDS } from '../shared/words.js'
import type { FromPacer, FromRecorder, FromWorker, PacerData, RecorderData, ThreadData, ToPacer, ToRecorder, ToWorker, WorkerData } from './messages.js'

/** What the threads make lives for the time of a request or dies at once: room for more new objects is memory for nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 8 }

type From = FromWorker | FromRecorder | FromPacer

/** A thread of the engine and what it says. */
class Thread<To, Said extends From> {
  readonly name: string
  readonly worker: Worker
  readonly ready: Promise<void>
  /** Set when the thread's end is expected. */
  ending = false
  #post: (message: To) => void

  constructor(name: string, file: URL, data: ThreadData, transfer: MessagePort[], on: { said(message: Said): void; failed(error: Error): void }) {
    this.name = name
    this.worker = new Worker(file, { name, workerData: data, transferList: transfer, resourceLimits: LIMITS })
    this.#post = (message) => this.worker.postMessage(message)
    let isReady: () => void
    let isBroken: (error: Error) => void
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve
      isBroken = reject
    })
    this.ready.catch(() => {})
    const failed = (error: Error): void => {
      isBroken(error)
      on.failed(error)
    }
    this.worker.on('message', (message: Said) => {
      if (message.type === 'failed') failed(unpackFailure(message))
      else {
        if (message.type === 'ready') isReady()
        on.said(message)
      }
    })
    this.worker.on('error', (error) => failed(new AiperfError('E_THREAD', `The ${name} thread ended: ${(error as Error).message}`, { cause: error })))
    this.worker.on('exit', (code) => {
      if (!this.ending) failed(new AiperfError('E_THREAD', `The ${name} thread ended unexpectedly (code ${code})`))
    })
  }

  post(message: To): void {
    this.#post(message)
  }
}

export interface Threads {
  workers: Thread<ToWorker, FromWorker>[]
  recorders: Thread<ToRecorder, FromRecorder>[]
  pacer: Thread<never, FromPacer> | undefined
  workerWords: Int32Array[]
  /** There are more of those that stamp and record than cores. */
  sharesCore: boolean
  /** See `createCourtesy`; set where there are due times to give way to. */
  giveWay: (() => void) | undefined
  tellPacer(message: ToPacer): void
}

export interface Hear {
  worker(id: number, message: FromWorker): void
  recorder(id: number, message: FromRecorder): void
  pacer(message: FromPacer): void
  failed(error: Error): void
}

/** The plugin index as threads need it: without the descriptions of options and metrics, two thirds of what each would have to copy. */
export function indexForThreads({ packages, contributions }: PluginIndex): PluginIndex {
  return { packages, contributions: contributions.map(({ options: _options, metrics: _metrics, ...rest }) => rest) }
}

/** Starts all threads at once; they load their code side by side. */
export function startThreads(base: ThreadData, counts: { workers: number; recorders: number; pacer: boolean }, hear: Hear): Threads {
  // On a single core they must get on: what they compile is waited for.
  if (counts.pacer && availableParallelism() > 1) lowerHelpers()
  const workerWords = Array.from({ length: counts.workers }, () => sharedWords(WORKER_WORDS))
  const orders = workerWords.map(() => createOrderRing(counts.pacer ? undefined : 8))
  const pace = createPace(counts.workers)
  const records = workerWords.map(() => new MessageChannel())
  const paces = workerWords.map(() => new MessageChannel())
  const control = new MessageChannel()
  const sharesCore = availableParallelism() < counts.workers + counts.recorders + (counts.pacer ? 1 : 0)

  const recorders = Array.from({ length: counts.recorders }, (_, id) => {
    const mine = records.map((channel, worker) => ({ id: worker, port: channel.port2 })).filter(({ id: worker }) => worker % counts.recorders === id)
    const data: RecorderData = { ...base, id, workers: mine, prepares: id === 0, pace: sharesCore && counts.pacer ? pace : undefined, allWorkers: counts.workers }
    return new Thread<ToRecorder, FromRecorder>(`recorder ${id}`, new URL('../recorder/thread.js', import.meta.url), data, mine.map((m) => m.port), { said: (m) => hear.recorder(id, m), failed: hear.failed })
  })
  const workers = workerWords.map((ownWords, id) => {
    const data: WorkerData = {
      ...base, id, workers: counts.workers, ownWords, orders: orders[id]!, pace, sharesCore, recorder: records[id]!.port1, pacer: paces[id]!.port1, hasPacer: counts.pacer,
    }
    return new Thread<ToWorker, FromWorker>(`worker ${id}`, new URL('../worker/thread.js', import.meta.url), data, [data.recorder, data.pacer], { said: (m) => hear.worker(id, m), failed: hear.failed })
  })
  let pacer: Threads['pacer']
  if (counts.pacer) {
    const data: PacerData = { ...base, pace, control: control.port2, workers: workerWords.map((words, id) => ({ words, orders: orders[id]!, port: paces[id]!.port2 })) }
    pacer = new Thread<never, FromPacer>('pacer', new URL('../pacer/thread.js', import.meta.url), data, [control.port2, ...data.workers.map((w) => w.port)], { said: hear.pacer, failed: hear.failed })
  } else {
    for (const { port2 } of paces) port2.close()
    control.port2.close()
  }
  return {
    workers,
    recorders,
    pacer,
    workerWords,
    sharesCore,
    giveWay: sharesCore && counts.pacer ? createCourtesy({ pace, workers: counts.workers, runWords: base.runWords, now: createNow(base.origin) }) : undefined,
    tellPacer: (message) => {
      if (!counts.pacer) return
      control.port1.postMessage(message)
      Atomics.add(base.runWords, RUN.pacerWake, 1)
      Atomics.notify(base.runWords, RUN.pacerWake)
    },
  }
}

/** Ends every thread at once, whatever it does. */
export async function endThreads({ workers, recorders, pacer }: Threads): Promise<void> {
  await Promise.all(
    [...workers, ...recorders, ...(pacer ? [pacer] : [])].map((thread) => {
      thread.ending = true
      return thread.worker.terminate()
    }),
  )
}
