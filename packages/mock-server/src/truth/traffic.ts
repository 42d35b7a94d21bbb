import type { ClockAnchor } from '../timing/clock.js'
import { nowMs, unixNsAt } from '../timing/clock.js'
import type { Ending } from './record.js'

/** Upper bounds, in µs, of the classes that lateness is counted in; the last class has no bound. */
const LATENESS_BOUNDS_US = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] as const

/** Counts since the start or the last reset. */
export interface ServerStats {
  /** Inference requests that have arrived. */
  requests: number
  inFlight: number
  maxInFlight: number
  /** `inFlightMs[n]`: for how many ms exactly n requests were in flight. */
  inFlightMs: number[]
  /** Requests by how they ended. */
  endings: Partial<Record<Ending, number>>
  /** Responses by status. */
  statuses: Record<string, number>
  /** Events that carried tokens, and the tokens in them. */
  chunks: number
  tokens: number
  connections: { accepted: number; open: number; maxOpen: number }
  /** First arrival and last send, in nanoseconds since 1970 (decimal), or '' for none. */
  firstArrivalUnixNs: string
  lastSendUnixNs: string
  /** How late paced events were handed to the socket: `counts[i]` were at most `boundsUs[i]` late. */
  lateness: { boundsUs: readonly number[]; counts: number[]; maxUs: number }
  /** CPU time of the process since the start or the last reset, in ms. */
  cpuMs: { user: number; system: number }
  /** One moment on three clocks: wall, `process.hrtime`, and `performance.now()` of the server's thread. */
  clock: { unixNs: string; hrtimeNs: string; monotonicMs: number }
}

/** Counts what goes through the server. */
export class Traffic {
  requests = 0
  inFlight = 0
  maxInFlight = 0
  chunks = 0
  tokens = 0
  accepted = 0
  open = 0
  maxOpen = 0
  lastSendMs = 0
  #firstArrivalMs = 0
  #inFlightMs: number[] = [0]
  #changedMs = nowMs()
  #endings: Partial<Record<Ending, number>> = {}
  #statuses: Record<string, number> = {}
  #late: number[] = noLateness()
  #maxLateMs = 0
  #cpu = process.cpuUsage()

  /** A request has arrived; returns its ordinal. */
  begin(atMs: number): number {
    if (this.requests === 0) this.#firstArrivalMs = atMs
    this.#inFlightIs(this.inFlight + 1, atMs)
    if (this.inFlight > this.maxInFlight) this.maxInFlight = this.inFlight
    return this.requests++
  }

  end(ending: Ending, status: number, atMs: number): void {
    this.#inFlightIs(Math.max(0, this.inFlight - 1), atMs)
    this.#endings[ending] = (this.#endings[ending] ?? 0) + 1
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
  }

  /** A paced event is handed to the socket this much after it was due. */
  late(ms: number): void {
    if (ms > this.#maxLateMs) this.#maxLateMs = ms
    let index = 0
    while (index < LATENESS_BOUNDS_US.length && ms * 1e3 > LATENESS_BOUNDS_US[index]!) index++
    this.#late[index]!++
  }

  connected(): number {
    this.open++
    if (this.open > this.maxOpen) this.maxOpen = this.open
    return this.accepted++
  }

  #inFlightIs(count: number, atMs: number): void {
    // An arrival can have been read before the end of another request that was written down first.
    const ms = Math.max(0, atMs - this.#changedMs)
    this.#inFlightMs[this.inFlight] = (this.#inFlightMs[this.inFlight] ?? 0) + ms
    this.#changedMs += ms
    this.inFlight = count
  }

  /** Starts counting again; what is in flight stays so. */
  reset(): void {
    this.requests = this.chunks = this.tokens = this.#firstArrivalMs = this.lastSendMs = 0
    this.maxInFlight = this.inFlight
    this.accepted = 0
    this.maxOpen = this.open
    this.#inFlightMs = [0]
    this.#changedMs = nowMs()
    this.#endings = {}
    this.#statuses = {}
    this.#late = noLateness()
    this.#maxLateMs = 0
    this.#cpu = process.cpuUsage()
  }

  stats(anchor: ClockAnchor): ServerStats {
    this.#inFlightIs(this.inFlight, nowMs())
    const cpu = process.cpuUsage(this.#cpu)
    const unixNs = (atMs: number) => (atMs === 0 ? '' : unixNsAt(anchor, atMs))
    return {
      requests: this.requests,
      inFlight: this.inFlight,
      maxInFlight: this.maxInFlight,
      inFlightMs: Array.from(this.#inFlightMs, (ms) => ms ?? 0),
      endings: { ...this.#endings },
      statuses: { ...this.#statuses },
      chunks: this.chunks,
      tokens: this.tokens,
      connections: { accepted: this.accepted, open: this.open, maxOpen: this.maxOpen },
      firstArrivalUnixNs: unixNs(this.#firstArrivalMs),
      lastSendUnixNs: unixNs(this.lastSendMs),
      lateness: { boundsUs: LATENESS_BOUNDS_US, counts: [...this.#late], maxUs: Math.round(this.#maxLateMs * 1e3) },
      cpuMs: { user: cpu.user / 1e3, system: cpu.system / 1e3 },
      clock: { unixNs: String(anchor.unixNs), hrtimeNs: String(anchor.hrtimeNs), monotonicMs: anchor.monotonicMs },
    }
  }
}

function noLateness(): number[] {
  return Array.from({ length: LATENESS_BOUNDS_US.length + 1 }, () => 0)
}
