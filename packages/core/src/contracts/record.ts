/**
 * The facts of one request: one row of the journal. Metrics are functions of facts, so that a journal can be
 * evaluated again, with other metrics, long after the run.
 *
 * Times are ns on the run's monotonic clock (0 = start of the run), as doubles. A number that has no value is NaN,
 * a text that has none is `''`.
 */
export const FACTS = {
  /** Number of the request in the order of dispatch claims, from 0 over the whole run; unique. */
  ordinal: 'f64',
  /** Index into `RunManifest.phases`. */
  phase: 'u16',
  /** Number of the session over the phase, from 0, in the order in which sessions were due. */
  session: 'u32',
  /** Dataset index of the conversation. */
  conversation: 'u32',
  turn: 'u16',
  /** User number of the user-centric mode. */
  user: 'f64',
  worker: 'u16',
  recorder: 'u16',
  /** Index into the run's URLs and models. */
  url: 'u16',
  model: 'u16',

  /** When it should have been sent, claimed a credit, was handed to the transport, and was written to the kernel. */
  dueNs: 'f64',
  claimedNs: 'f64',
  dispatchedNs: 'f64',
  writtenNs: 'f64',
  /** A usable connection was in hand. */
  assignedNs: 'f64',
  /** Stamps of the connection set-up this request paid for; NaN when it used an existing connection. */
  dnsNs: 'f64',
  tcpNs: 'f64',
  tlsNs: 'f64',
  firstByteNs: 'f64',
  /** Response head complete. */
  headNs: 'f64',
  /** First frame with a token event (text, reasoning or tool text); NaN when none came. */
  firstTokenNs: 'f64',
  /** First token event that is not reasoning. */
  firstOutputNs: 'f64',
  /** Last token event; for content that is not text, the last content frame. */
  lastTokenNs: 'f64',
  /** Last byte of the body, or the moment of failure. */
  endNs: 'f64',

  connection: 'f64',
  /** 1 when an existing connection was used. */
  reused: 'f64',
  /** 1 when it was sent again on a fresh connection. */
  retried: 'u8',
  bytesSent: 'f64',
  /** Body bytes received, transfer coding removed. */
  bytesReceived: 'f64',
  /** Reads of the socket that brought body bytes. */
  reads: 'u32',
  /** HTTP status; 0 when no response head came. */
  status: 'u16',
  /** See `OUTCOMES`. */
  outcome: 'u8',
  /** 1 when the request was asked to stream. */
  streaming: 'u8',
  /** 1 when the response was a stream of frames (a server may ignore `stream: true`). */
  streamed: 'u8',
  /** Frames with data, and of these malformed ones. */
  frames: 'u32',
  malformed: 'u32',

  /** Input and output tokens by the run's token source (client tokenizer or server usage). */
  inputTokens: 'f64',
  /** Visible output: text and tool text, reasoning excluded. */
  outputTokens: 'f64',
  reasoningTokens: 'f64',
  /** Output tokens the request asked for at most. */
  requestedTokens: 'f64',
  /** Counts by the client's tokenizer even when the server's are used; NaN when not counted. */
  clientInputTokens: 'f64',
  clientOutputTokens: 'f64',

  usagePrompt: 'f64',
  usageCompletion: 'f64',
  usageTotal: 'f64',
  usageReasoning: 'f64',
  usageCacheRead: 'f64',
  usageCacheWrite: 'f64',
  usageCacheMiss: 'f64',
  usagePromptAudio: 'f64',
  usagePromptAudioSeconds: 'f64',
  usageCompletionAudio: 'f64',
  usageAcceptedPrediction: 'f64',
  usageRejectedPrediction: 'f64',
  usageToolUsePrompt: 'f64',

  /** Token events, or content frames of content that is not text. */
  contentEvents: 'u32',
  images: 'f64',
  audioSeconds: 'f64',
  /** KV blocks of the prompt whose prefix occurred earlier in the dataset, and all blocks. */
  prefixHitBlocks: 'f64',
  prefixBlocks: 'f64',
  /** When the client was to cancel the request; NaN: never. */
  cancelAtNs: 'f64',
} as const satisfies Record<string, 'f64' | 'u32' | 'u16' | 'u8'>

/** Name of a fact: a column of the journal. */
export type FactName = keyof typeof FACTS

/** How a request ended, apart from its HTTP status. Only `done`, `finish` and `body` are success. */
export const OUTCOMES = [
  'unknown',
  /** The protocol's end came (`[DONE]`). */
  'done',
  /** A finish reason came, then a clean end. */
  'finish',
  /** A whole body was answered. */
  'body',
  /** An HTTP status of 300 or more. */
  'http_error',
  /** The server reported an error in the stream or in a body under status 200. */
  'server_error',
  /** The body ended cleanly with neither a finish reason nor an end. */
  'incomplete',
  /** The connection was refused, reset or cut. */
  'connection',
  /** A time limit of ours passed. */
  'timeout',
  /** The answer could not be read, or held no content. */
  'invalid',
  /** Cancelled by us because the run asked for cancellations (`--request-cancellation-rate`). */
  'cancelled',
  /** Not finished when the phase's deadline passed or the run was interrupted: censored, with the age reached. */
  'censored',
  /** The context was longer than the model's. */
  'context_overflow',
] as const

/** How a request ended. */
export type Outcome = (typeof OUTCOMES)[number]

/** The error of a failed request, as files show it. */
export interface RequestError {
  /** HTTP status or the server's code; absent when there is none. */
  code?: number
  /** Short class, e.g. `Service Unavailable`, `IncompleteStream`, `ECONNREFUSED`. */
  type: string
  message: string
  category: Outcome
}

/** Read access to one row. An implementation may be one object that moves over the rows: do not keep it. */
export interface RecordView extends Readonly<Record<FactName, number>> {
  readonly outcomeName: Outcome
  readonly success: boolean
  readonly finishReason: string
  readonly error: RequestError | undefined
  /** ns of each token event, ascending. A view: valid until the row moves. */
  readonly tokenNs: Float64Array
  /** Tokens of each token event where the server reports them (`--per-chunk-usage`); length 0 otherwise. */
  readonly tokenCounts: Uint32Array
  /** A number the endpoint plugin reported by `field` deltas. */
  field(name: string): number | readonly number[] | undefined
}
