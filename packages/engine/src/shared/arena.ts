/**
 * Arenas carry bytes and stamps from a worker to its recorder: one buffer is filled with entries and transferred.
 * Layout of an entry: 32 bytes of head, then the payload, padded to 8 bytes.
 *
 *   u32 kind · u32 length · f64 ordinal · f64 ns · f64 aux
 */
export const ARENA_BYTES = 128 * 1024
const ENTRY_HEAD = 32

export const ENTRY = {
  /** Response head: aux = status, payload = content type (latin1), then raw headers when they are kept. */
  head: 1,
  /** Body bytes as read. */
  bytes: 2,
  /** The request ended: payload = `END_FIELDS` as f64, then the failure as JSON, if any. */
  end: 3,
  /** The request as sent, where raw records are kept: payload = JSON of headers, then a zero byte, then the body. */
  sent: 4,
  /** Body of a request made during the run (multi-turn), for counting its input tokens. */
  input: 5,
  /** No more from this worker for phase `aux`. */
  drained: 6,
} as const

/** What a worker knows of a request when it ends. NaN: no value. */
export const END_FIELDS = [
  'phase', 'session', 'conversation', 'turn', 'user', 'worker', 'url', 'model',
  'dueNs', 'claimedNs', 'dispatchedNs', 'writtenNs', 'assignedNs', 'dnsNs', 'tcpNs', 'tlsNs', 'firstByteNs',
  'connection', 'reused', 'retried', 'bytesSent', 'requestedTokens', 'cancelAtNs', 'stop',
] as const
export type EndField = (typeof END_FIELDS)[number]
export const END_INDEX = Object.fromEntries(END_FIELDS.map((name, i) => [name, i])) as Record<EndField, number>

/** Value of the `stop` field: why we ended a request ourselves. */
export const STOP = { none: 0, policy: 1, deadline: 2 } as const

/** Fills arenas and hands full ones on. */
export class ArenaWriter {
  #buffer: ArrayBuffer
  #u32!: Uint32Array
  #f64!: Float64Array
  #u8!: Uint8Array
  #at = 0
  readonly #spare: ArrayBuffer[] = []
  readonly #send: (buffer: ArrayBuffer, used: number) => void

  constructor(send: (buffer: ArrayBuffer, used: number) => void) {
    this.#send = send
    this.#buffer = new ArrayBuffer(ARENA_BYTES)
    this.#view()
  }

  #view(): void {
    this.#u32 = new Uint32Array(this.#buffer)
    this.#f64 = new Float64Array(this.#buffer)
    this.#u8 = new Uint8Array(this.#buffer)
    this.#at = 0
  }

  /** An emptied arena comes back from the recorder. */
  recycle(buffer: ArrayBuffer): void {
    if (this.#spare.length < 64 && buffer.byteLength === ARENA_BYTES) this.#spare.push(buffer)
  }

  get used(): number {
    return this.#at
  }

  flush(): void {
    if (this.#at === 0) return
    this.#send(this.#buffer, this.#at)
    this.#buffer = this.#spare.pop() ?? new ArrayBuffer(ARENA_BYTES)
    this.#view()
  }

  /** Reserves an entry and returns the byte offset of its payload; large payloads get an arena of their own. */
  #reserve(kind: number, ordinal: number, ns: number, aux: number, length: number): number {
    const size = ENTRY_HEAD + ((length + 7) & ~7)
    if (this.#at + size > this.#buffer.byteLength) {
      this.flush()
      if (size > this.#buffer.byteLength) {
        this.#buffer = new ArrayBuffer(size)
        this.#view()
      }
    }
    const at = this.#at
    this.#u32[at >> 2] = kind
    this.#u32[(at >> 2) + 1] = length
    const d = at >> 3
    this.#f64[d + 1] = ordinal
    this.#f64[d + 2] = ns
    this.#f64[d + 3] = aux
    this.#at = at + size
    return at + ENTRY_HEAD
  }

  bytes(kind: number, ordinal: number, ns: number, aux: number, payload: Uint8Array): void {
    const at = this.#reserve(kind, ordinal, ns, aux, payload.length)
    this.#u8.set(payload, at)
  }

  /** An entry of numbers followed by bytes. */
  numbers(kind: number, ordinal: number, ns: number, aux: number, values: Float64Array, tail: Uint8Array | undefined): void {
    const at = this.#reserve(kind, ordinal, ns, aux, values.length * 8 + (tail?.length ?? 0))
    this.#f64.set(values, at >> 3)
    if (tail) this.#u8.set(tail, at + values.length * 8)
  }
}

export interface ArenaEntry {
  kind: number
  ordinal: number
  ns: number
  aux: number
  payload: Uint8Array
  /** The payload's numbers, when it begins with some. */
  numbers(count: number): Float64Array
}

/** Reads the entries of an arena in order. The entry object is one and the same. */
export function readArena(buffer: ArrayBuffer, used: number, each: (entry: ArenaEntry) => void): void {
  const u32 = new Uint32Array(buffer)
  const f64 = new Float64Array(buffer)
  let start = 0
  const entry: ArenaEntry = {
    kind: 0,
    ordinal: 0,
    ns: 0,
    aux: 0,
    payload: new Uint8Array(0),
    numbers: (count) => new Float64Array(buffer, start, count),
  }
  for (let at = 0; at < used; ) {
    const length = u32[(at >> 2) + 1]!
    const d = at >> 3
    entry.kind = u32[at >> 2]!
    entry.ordinal = f64[d + 1]!
    entry.ns = f64[d + 2]!
    entry.aux = f64[d + 3]!
    start = at + ENTRY_HEAD
    entry.payload = Buffer.from(buffer, start, length)
    each(entry)
    at = start + ((length + 7) & ~7)
  }
}
