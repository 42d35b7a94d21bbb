/** One server: where connections go. */
export interface Target {
  /** Full URL of the endpoint, path included. */
  url: URL
  /** TLS settings; ignored for plain HTTP. */
  tls?: { rejectUnauthorized: boolean; ca?: string }
  /** Unix socket path instead of host and port. */
  socketPath?: string
  /** IP family: 4, 6 or 0 for both. */
  family?: 0 | 4 | 6
}

/** A request in the form a transport sends. */
export interface OutgoingRequest {
  target: Target
  method: string
  /** Path and query. */
  path: string
  /** Headers that are the same for every request of the run: the same array object each time, so that a transport can
   * serialise it once. Flat: name, value, name, value… */
  fixedHeaders: readonly string[]
  /** Headers of this request, flat. They override `fixedHeaders` of the same name (any case). */
  headers: readonly string[]
  body: Uint8Array | undefined
  /** `pooled`: any idle connection; `never`: a fresh one, closed after; a string: the connection kept under that key. */
  connection: 'pooled' | 'never' | { key: string; last: boolean }
  /** Total time limit, ms from `send`; 0: none. */
  timeoutMs: number
}

/** Stamps of one request besides the bytes; ns on the run's clock. */
export type Phase =
  | 'dns'        // host name resolved (absent for IP literals, cached answers and reused connections)
  | 'tcp'        // TCP connected
  | 'tls'        // TLS established
  | 'assigned'   // a usable connection is in hand: the end of the wait for the pool or the connect
  | 'written'    // last byte of the request handed to the kernel
  | 'first-byte' // first byte of the response, status line included

/** How a request failed below HTTP. */
export interface TransportFailure {
  category: 'connect' | 'timeout' | 'reset' | 'protocol' | 'cancelled' | 'tls' | 'dns'
  /** Name of the underlying error, e.g. `ECONNREFUSED`. */
  code: string
  message: string
  /** Response bytes were seen before the failure. */
  afterFirstByte: boolean
}

/** Facts about the connection a request used. */
export interface ConnectionInfo {
  /** Number of the connection within this transport: the same one for all requests that it carried. */
  id: number
  reused: boolean
  /** The request was sent again on a fresh connection because a reused one was closed before any response byte. */
  retried: boolean
  bytesSent: number
  localPort?: number
  remoteAddress?: string
}

/** Receives what happens to one request. Called synchronously from the read callback: do little. */
export interface ByteSink {
  phase(phase: Phase, ns: number): void
  /** Status and raw headers (flat), when the head is complete; 1xx are not reported. */
  head(status: number, headers: readonly string[], ns: number): void
  /** Bytes of the body, transfer coding removed. The view is valid only during the call. */
  bytes(view: Uint8Array, ns: number): void
  /** The response is complete. */
  end(ns: number, connection: ConnectionInfo): void
  fail(failure: TransportFailure, ns: number, connection: ConnectionInfo | undefined): void
}

/** Returned by `send`. */
export interface Sending {
  /** Ends the request: the connection is dropped and `fail` is called with `cancelled`, unless it ended before. */
  cancel(): void
}

/** Moves bytes and stamps what happens. One instance per worker thread. */
export interface Transport {
  /** Opens connections ahead of the load, so that no request pays for them. Failures are not errors here. */
  open(target: Target, count: number): Promise<void>
  send(request: OutgoingRequest, sink: ByteSink): Sending
  /** Closes idle connections and refuses further sends. */
  close(): Promise<void>
}

/** What a transport is given. */
export interface TransportContext<Options = unknown> {
  options: Options
  /** ns since the run's start, monotonic, the same for all threads. */
  now(): number
}

/** What a transport declares in its manifest entry (`meta`). */
export interface TransportMeta {
  description: string
  /** URL schemes it speaks, e.g. `http`, `https`. */
  schemes: readonly string[]
}
