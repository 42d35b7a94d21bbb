import type { Route } from '../routes/route.js'
import type { DistributionKind } from '../timing/distribution.js'

/** Everything the mock server can be told. All of it is optional; README.md has the defaults in a table. */
export interface MockServerOptions {
  /** Address to listen on. */
  host?: string
  /** TCP port, 0 for a free one. */
  port?: number
  /** Seed of all that is drawn: the same seed gives the same times, lengths and faults per request ordinal. */
  seed?: number

  /** Mean time from a request's arrival to its first token, in ms. */
  ttftMs?: number
  /** Standard deviation of the time to first token, in ms. */
  ttftStddevMs?: number
  /** Law of the time to first token. Default: normal where a standard deviation is given, else fixed. */
  ttftDistribution?: DistributionKind
  /** Mean gap between two tokens, in ms. */
  itlMs?: number
  /** Standard deviation of the gap between two tokens, in ms. */
  itlStddevMs?: number
  /** Law of the gap between two tokens. */
  itlDistribution?: DistributionKind
  /** No pacing: the answer is sent at once, each event in a write of its own. */
  instant?: boolean
  /** With `instant`: the whole answer in one write. */
  coalesce?: boolean
  /** How the server waits for what is due. README.md compares them. */
  pacing?: 'thread' | 'spin' | 'timer'

  /** Mean number of tokens of an answer. Without it an answer has as many as the request's max tokens, else 128. */
  outputTokens?: number
  outputTokensStddev?: number
  outputTokensDistribution?: DistributionKind
  /** Whether the request's max tokens, min tokens and ignore_eos count. */
  honorMaxTokens?: boolean
  /** Tokens that one event carries. */
  tokensPerChunk?: number
  /** Share of the tokens (the first ones) that are sent as `reasoning_content`, 0 to 1. */
  reasoningShare?: number
  /** Share of the chat requests that are answered by a tool call, 0 to 1; only requests that offer tools. */
  toolCallRate?: number

  /** Where the assistant's role is said: in an event before the first token, with it, at arrival, or nowhere. */
  roleChunk?: 'separate' | 'merged' | 'early' | 'none'
  /** Whether the finish reason has an event of its own or comes with the last token. */
  finishChunk?: 'separate' | 'merged'
  /** When a stream reports usage: where `stream_options.include_usage` asks for it, always, or never. */
  usage?: 'on-request' | 'always' | 'never'
  /** Whether usage comes in an event with `choices: []` or in the finish event. */
  usageChunk?: 'separate' | 'merged'
  /** Whether a stream ends with `data: [DONE]`. */
  done?: boolean
  /** A comment line (`: ping`) is sent to every open stream at this interval in ms; 0 for never. */
  pingMs?: number

  /** Names of the models served. The first one names what a request without a model gets. */
  models?: readonly string[]
  /** Answer 404 to a request for another model. */
  strictModel?: boolean
  /** Counts the tokens of a prompt's text. Default: characters / 4. */
  countTokens?: (text: string) => number
  /** Length of an embedding vector. */
  embeddingDimensions?: number
  /** How long the job of a video takes from its submission, in ms. */
  videoMs?: number
  /** `auto` reads a request's JSON only where something configured depends on it, and else scans for a few keys. */
  parse?: 'auto' | 'always'

  /** A server with a batch, a queue and a prefix cache in place of the two distributions; `true` for its defaults. */
  model?: ModelOptions | boolean
  /** What goes wrong, and how often. */
  faults?: FaultOptions

  /** Append the truth of each request, as a line of JSON, to this file. */
  log?: string
  /** How many of the newest truth records are kept in memory. */
  truthMax?: number
  /** Put a hash of the prompt's text into the truth. */
  promptHash?: boolean
  /** Put the headers and the body of each request into the truth. */
  captureRequests?: boolean

  /** Close a connection that has been idle this long, in ms, without notice; 0 for never. */
  idleTimeoutMs?: number
  maxHeaderBytes?: number
  maxBodyBytes?: number
  /** More routes; one with the method and path of a built-in route replaces it. */
  routes?: readonly Route[]
}

/**
 * A batch of running requests takes one step after another; each step gives every decoding request one token and takes
 * `stepMs` + `stepMsPerSequence` × decoding requests + `prefillMsPerToken` × prompt tokens prefilled in it.
 */
export interface ModelOptions {
  /** Prefill time per prompt token that is not in the prefix cache, in ms. */
  prefillMsPerToken?: number
  /** Constant part of a step's time, in ms. */
  stepMs?: number
  /** What each decoding request adds to a step's time, in ms. */
  stepMsPerSequence?: number
  /** Requests that run at the same time; the others wait in order of arrival. */
  maxRunning?: number
  /** Tokens of one step: one per decoding request, the rest for prefill (a long prompt takes several steps). */
  maxBatchedTokens?: number
  /** Tokens of KV cache: bounds the running requests' tokens and the size of the prefix cache. */
  kvTokens?: number
  /** Tokens of a block of the prefix cache; 0 switches the prefix cache off. A token counts as 4 characters. */
  cacheBlockTokens?: number
}

/** Shares of requests, 0 to 1, each drawn by itself from the seed. */
export interface FaultOptions {
  /** An error status at once, instead of an answer. */
  errorRate?: number
  /** Statuses that `errorRate` picks from. */
  errorStatuses?: readonly number[]
  /** The stream ends properly in the middle, with no finish reason and no [DONE]. */
  cutRate?: number
  /** The connection is reset in the middle of the stream. */
  resetRate?: number
  /** The connection is closed within a chunk of the chunked encoding. */
  truncateRate?: number
  /** `data: {"error": …}` in the middle of a 200 stream, which ends with it. */
  errorEventRate?: number
  /** The stream pauses once for `stallMs`. */
  stallRate?: number
  stallMs?: number
  /** One event's JSON is broken. */
  malformedRate?: number
  /** The response head comes in two parts, `slowHeadersMs` apart. */
  slowHeadersRate?: number
  slowHeadersMs?: number
  /** The connection is closed after the response though keep-alive was promised. */
  dropRate?: number
  /** Comment lines between the events. */
  commentRate?: number
  /** Lines of the event stream end with CR LF. */
  crlfRate?: number
  /** The bytes are sent in small pieces that respect no boundary. */
  splitRate?: number
  /** A JSON body though a stream was asked for. */
  jsonBodyRate?: number
}
