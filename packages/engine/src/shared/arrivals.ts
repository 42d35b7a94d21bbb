/** Ring of published arrivals: what a worker needs to know of arrival i. Written by the pacer alone. */
export interface ArrivalRing {
  capacity: number
  dueNs: Float64Array
  claimedNs: Float64Array
  /** Dataset index, −1: the sampler chooses. */
  session: Int32Array
  /** First turn to play. */
  firstTurn: Int32Array
  /** Turns to play, 0: all. */
  turns: Int32Array
  /** User number, −1: none. */
  user: Int32Array
}

const ARRIVAL_CAPACITY = 1 << 16

export function createArrivalRing(capacity = ARRIVAL_CAPACITY): ArrivalRing {
  const shared = <T>(make: new (b: SharedArrayBuffer) => T, bytes: number): T => new make(new SharedArrayBuffer(capacity * bytes))
  return {
    capacity,
    dueNs: shared(Float64Array, 8),
    claimedNs: shared(Float64Array, 8),
    session: shared(Int32Array, 4),
    firstTurn: shared(Int32Array, 4),
    turns: shared(Int32Array, 4),
    user: shared(Int32Array, 4),
  }
}

/** Orders from the pacer to a worker, in its ring. */
export const ORDER = {
  /** Start the session of arrival `value`. */
  start: 0,
  /** A queued continuation turn takes this arrival; `dueNs` is the tick's. */
  continue: 1,
} as const

export interface OrderRing {
  capacity: number
  kind: Int32Array
  phase: Int32Array
  value: Int32Array
  dueNs: Float64Array
}

const ORDER_CAPACITY = 1 << 14

export function createOrderRing(capacity = ORDER_CAPACITY): OrderRing {
  const shared = <T>(make: new (b: SharedArrayBuffer) => T, bytes: number): T => new make(new SharedArrayBuffer(capacity * bytes))
  return {
    capacity,
    kind: shared(Int32Array, 4),
    phase: shared(Int32Array, 4),
    value: shared(Int32Array, 4),
    dueNs: shared(Float64Array, 8),
  }
}

/**
 * Times that pacer and workers tell each other, ns on the run's clock: for each worker its next own due time, then for each the
 * latest due time that the pacer called it for, then those of the pacer.
 */
export const PACE = {
  /** The pacer calls a worker once for each due time: until the latest one it is on the lookout. */
  called: (workers: number, id: number): number => workers + id,
  /** Due time of the first arrival that is not handed out. */
  arrival: (workers: number): number => 2 * workers,
  /** Due time of what a worker will be called for next, and how long ahead it will be, ns. */
  next: (workers: number): number => 2 * workers + 1,
  ahead: (workers: number): number => 2 * workers + 2,
}

export function createPace(workers: number): Float64Array {
  const pace = new Float64Array(new SharedArrayBuffer(8 * (2 * workers + 3))).fill(Infinity)
  for (let id = 0; id < workers; id++) pace[PACE.called(workers, id)] = 0
  pace[PACE.ahead(workers)] = 0
  return pace
}
