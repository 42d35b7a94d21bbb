import type { RunModel, TransportFailure } from '@aiperf/core'
import type { PluginIndex } from '@aiperf/core/host'
import type { MessagePort } from 'node:worker_threads'
import type { ArrivalRing, OrderRing } from '../shared/arrivals.js'
import type { ClockOrigin } from '../shared/clock.js'
import type { LivePhase, LiveState } from '../recorder/live.js'
import type { Health } from '../shared/health.js'
import type { StoreShared } from '../store/layout.js'

/** What every thread is started with. */
export interface ThreadData {
  index: PluginIndex
  model: RunModel
  origin: ClockOrigin
  runHex: string
  seed: number
  runWords: Int32Array
  /** Words of each phase, by index. */
  phaseWords: Int32Array[]
  /** Requests in flight by URL. */
  urlWords: Int32Array
  /** Folder of the journal. */
  journal: string
}

export interface WorkerData extends ThreadData {
  id: number
  workers: number
  ownWords: Int32Array
  orders: OrderRing
  /** See `PACE`. */
  pace: Float64Array
  /** There are more threads that stamp and record than cores. */
  sharesCore: boolean
  /** To the recorder of this worker, and from the pacer. */
  recorder: MessagePort
  pacer: MessagePort
  /** False: due times of the worker's own are kept by timers. */
  hasPacer: boolean
}

export interface RecorderData extends ThreadData {
  id: number
  /** From each worker of this recorder, with its id. */
  workers: { id: number; port: MessagePort }[]
  /** The first recorder prepares the dataset. */
  prepares: boolean
  /** See `PACE`; set where workers with due times share cores with recorders. */
  pace: Float64Array | undefined
  /** Of all recorders. */
  allWorkers: number
}

export interface PacerData extends ThreadData {
  workers: { words: Int32Array; orders: OrderRing; port: MessagePort }[]
  pace: Float64Array
  /** Messages from the control plane, read between sleeps. */
  control: MessagePort
}

/** Get ready to play a phase; answered by `armed`. */
export interface ArmPhase {
  type: 'arm'
  phase: number
  ring?: ArrivalRing
}
/** Play it. */
interface GoPhase {
  type: 'go'
  phase: number
  startNs: number
}

/** From a worker to its recorder: an arena, in memory or in a file, given back with its buffer or without one. */
export type ToRecord = { buffer: ArrayBuffer; used: number } | { fd: number; offset: number; used: number } | 'end'

export type ToWorker =
  | { type: 'store'; shared: StoreShared; sizes: DatasetSizes }
  | { type: 'open'; connections: number }
  | ArmPhase
  | GoPhase
  | { type: 'refill' }
  | { type: 'settle'; phase: number }
  | { type: 'cancel'; phase: number }
  | { type: 'finish' }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'opened'; open: number; error?: TransportFailure }
  | { type: 'armed'; phase: number }
  | { type: 'maybe-over'; phase: number }
  | { type: 'finished'; health: Health }
  | { type: 'health'; health: Health }
  | FromFailed

export type ToRecorder =
  | { type: 'prepare' }
  | { type: 'store'; shared: StoreShared }
  | { type: 'window'; phase: number; countFromNs: number }
  | { type: 'finish' }

export type FromRecorder =
  | { type: 'ready' }
  | { type: 'preparing'; what: string; done: number; total?: number }
  | { type: 'prepared'; shared: StoreShared; report: PrepareReport }
  /** The tokenizer with its hash, some time after `prepared`. */
  | { type: 'tokenizer'; tokenizer: NonNullable<PrepareReport['tokenizer']> }
  | { type: 'live'; state: LiveState }
  | { type: 'window'; counts: LivePhase }
  | { type: 'finished'; health: Health; state: LiveState }
  | FromFailed

export type ToPacer = { type: 'store'; shared: StoreShared; sizes: DatasetSizes } | ArmPhase | GoPhase | { type: 'stop'; phase: number } | { type: 'window'; phase: number; window: PlainWindow } | { type: 'exit' }
export type FromPacer = { type: 'ready' } | { type: 'armed'; phase: number } | { type: 'exhausted'; phase: number } | { type: 'adapted'; phase: number; adaptation: import('@aiperf/core').Adaptation; summary: import('@aiperf/core').JsonObject } | FromFailed

/** A window of adaptive control, as plain data: values by `tag/stat`. */
export interface PlainWindow {
  index: number
  startNs: number
  endNs: number
  completed: number
  errors: number
  values: Record<string, number>
}

/** How the dataset is split: warm-up has entries of its own where they could be made. */
export interface DatasetSizes {
  profiling: number
  warmup: number
}

export interface PrepareReport {
  loader: string
  sessions: number
  turns: number
  badLines: number
  skipped: number
  skippedReasons?: Record<string, number>
  provenance?: import('@aiperf/core').JsonObject[]
  hash?: string
  source?: string
  tokenizer?: { name: string; hash?: string }
  sizes: DatasetSizes
  notices: string[]
  hasDelays: boolean
  maxTurns: number
}

/** A thread's failure, as data: errors lose their class between threads. */
export interface FromFailed {
  type: 'failed'
  code: string
  message: string
  hint?: string
  problems?: import('@aiperf/core').Problem[]
}
