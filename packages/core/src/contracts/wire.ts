import type { Json } from './dataset.js'

/** What an endpoint asks a transport to send. */
export interface WireRequest {
  method: 'POST' | 'GET'
  /** Path that replaces the endpoint's default path; absent normally. */
  path?: string
  /** `application/json` and the like; multipart carries its boundary. */
  contentType: string
  /** What answers are acceptable; `text/event-stream` when streaming, else `application/json`. */
  accept: string
  body: Uint8Array
  /** Headers the endpoint itself needs (`anthropic-version`); a user's header of the same name wins. */
  headers?: Record<string, string>
}

/** Framing of a response body, found from its content type. */
export type Framing = 'sse' | 'ndjson' | 'body' | 'aws-event-stream'

/** One frame of a response: an SSE event, a line of NDJSON, or a whole body. */
export interface Frame {
  readonly framing: Framing
  /** SSE event name; `` when none was given. */
  readonly event: string
  /** SSE comments seen in the same block, joined by a line feed; `` when none. Some servers put the error text there. */
  readonly comment: string
  /** The data, without framing; several SSE data lines are joined by a line feed. Valid only during the call. */
  readonly data: Uint8Array
  /** `data` as UTF-8 text. */
  text(): string
  /** `data` as JSON; undefined when it is not JSON. Parsed once. */
  json(): Json | undefined
  /** HTTP status of the response and its content type (lower case, no parameters). */
  readonly status: number
  readonly contentType: string
}

/** Token counts as a server reports them; what it did not report is absent. */
export interface Usage {
  prompt?: number
  completion?: number
  total?: number
  reasoning?: number
  cacheRead?: number
  cacheWrite?: number
  cacheMiss?: number
  promptAudio?: number
  promptAudioSeconds?: number
  completionAudio?: number
  acceptedPrediction?: number
  rejectedPrediction?: number
  toolUsePrompt?: number
}

/**
 * What a frame means. The engine owns every time stamp.
 *
 * `text`, `reasoning` and `tool` are *token events* when their text is not empty (white space counts): the one rule
 * that drives time to first token, chunk gaps and the end of the latency. `data` (an embedding, an image) counts as
 * content for non-token endpoints.
 */
export type Delta =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  /** A piece of a tool call; name and arguments are pieces to append to call `index`. */
  | { kind: 'tool'; index: number; id?: string; name?: string; arguments?: string }
  | { kind: 'usage'; usage: Usage }
  /** The model stopped for this reason (`stop`, `length`, `tool_calls`, …). */
  | { kind: 'finish'; reason: string }
  /** The protocol's own end (`[DONE]`, `message_stop`, `response.completed`). */
  | { kind: 'done' }
  /** The server reported a failure inside the stream or in a body under status 200. */
  | { kind: 'error'; message: string; code?: number; type?: string }
  /** Content that is not text: `embedding`, `ranking`, `image`, `video`, `retrieval`…, and how many. */
  | { kind: 'data'; data: string; count: number }
  /**
   * What later requests of the session need of this answer besides its text: an output item in wire form, the id of a
   * stored response. Read by `Conversational.reply` alone; no content.
   */
  | { kind: 'reply'; item?: Json; id?: string }
  /** A number for metrics (speculative decoding, inference time…), by name. The last value counts. */
  | { kind: 'field'; name: string; value: number | readonly number[] }
  /** A frame that is broken (no JSON where JSON was expected). */
  | { kind: 'malformed'; reason: string }
