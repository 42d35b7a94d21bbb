import type { Endpoint, NextTurn, OutgoingRequest, Target, Transport, UrlStrategy, DatasetSampler } from '@aiperf/core'
import type { ArrivalRing, OrderRing } from '../shared/arrivals.js'
import type { ArenaWriter } from '../shared/arena.js'
import type { Store } from '../store/reader.js'

/** What a worker needs to play one phase. */
export interface WorkerPhase {
  index: number
  kind: 'warmup' | 'profiling'
  words: Int32Array
  arrivals: 'asap' | 'timed'
  ring?: ArrivalRing
  nextTurn: NextTurn
  sampler: DatasetSampler
  /** Start of the phase, ns on the run's clock. */
  startNs: number
  /** Sessions this worker may have at once in a closed loop: its share of the limit. */
  share(): number
  /** Whether the request with this ordinal within the phase is to be cancelled, and when. */
  cancellation: { chance(ordinal: number): boolean; delayNs: number } | undefined
  onTurnError: 'continue' | 'abort-session'
}

export interface WorkerSetup {
  id: number
  workers: number
  now(): number
  store: Store
  transport: Transport
  /** One per URL. */
  targets: readonly Target[]
  paths: readonly string[]
  urlStrategy: UrlStrategy
  endpoint: Endpoint
  streaming: boolean
  runWords: Int32Array
  ownWords: Int32Array
  /** Requests in flight by URL, over all workers. */
  urlWords: Int32Array
  orders: OrderRing
  /** See `PACE`. */
  pace: Float64Array
  /** The recorder has more to do than it should have. */
  recorderIsBehind(): boolean
  /** Lets the pacer go first when it waits for this core; undefined where the system sees to that. */
  giveWay: (() => void) | undefined
  arena: ArenaWriter
  fixedHeaders: readonly string[]
  sessionHeaders: readonly string[]
  runHex: string
  connection: 'pooled' | 'never' | 'sticky-user-sessions'
  timeoutMs: number
  keepRaw: boolean
  /** Bodies carry the place of a marker that is set when they are sent. */
  cacheBust: boolean
  perChunkUsage: boolean
  hasPacer: boolean
  /** Tells the control plane that a phase may be over. */
  maybeOver(phase: number): void
}

export type Connection = OutgoingRequest['connection']
