import type { Json, JsonObject, Session, Turn } from './dataset.js'
import type { Delta, Frame, WireRequest } from './wire.js'

/** What an endpoint declares in its manifest entry (`meta`): readable without loading it. */
export interface EndpointMeta {
  description: string
  /** Default path; `` for types that send to the URL as given (raw, template). */
  path: string
  /** Path when streaming, where it differs. */
  streamingPath?: string
  /** Answers can be streamed. */
  streams: boolean
  /** Answers are made of tokens: without it there are no metrics of tokens. */
  producesTokens: boolean
  /** Requests are made of tokens: without it there is no input sequence length. */
  tokenizesInput: boolean
  /** Modalities the body can carry: `image`, `audio`, `video`. */
  media: readonly string[]
  /** A system message has a place in the body. */
  consumesSystemMessage?: boolean
  /** The body has a place for a marker that no prefix cache knows. */
  supportsCacheBust?: boolean
  /** Answers are videos, which have metrics of their own. */
  producesVideos?: boolean
  /** The answer is a job that is asked for until it is done; needs the capability `polling`. */
  polling?: boolean
  /** Remote media URLs are not accepted by the service. */
  inlineMedia?: boolean
  /** Title of the console table, e.g. `LLM Metrics`. */
  metricsTitle: string
  /** Folder-name part: `openai` for most. */
  serviceKind?: string
  /** `bearer` (Authorization) unless the type says otherwise. */
  auth?: 'bearer' | 'x-api-key'
}

/** The run's settings that shape every body. */
export interface EndpointContext<Options = unknown> {
  options: Options
  streaming: boolean
  models: readonly string[]
  /** `--extra-inputs`, merged over the body's own fields. */
  extraInputs: JsonObject
  /** `--use-legacy-max-tokens`: the limit is called `max_tokens`, not `max_completion_tokens`. */
  useLegacyMaxTokens: boolean
  /** Tokens are those that the server reports: a stream has to ask for its usage. */
  useServerTokenCount: boolean
  /** The server is asked to report usage with every chunk. */
  perChunkUsage: boolean
}

/** A request to encode: the current turn is the last of `turns`. */
export interface EncodeInput {
  /** The turns whose content goes into the body, oldest first, by the session's context mode. */
  turns: readonly Turn[]
  /** `replies[k]` is the live reply to `turns[k]`, in wire form; undefined where there is none. */
  replies: readonly (Json | undefined)[]
  session: Pick<Session, 'system' | 'userContext'>
  /** The id a stateful API gave the previous reply, when `Conversational.reply` returned one. */
  previousId?: string
}

/** Reads the frames of one response. Never throws: what it cannot read is a `malformed` or `error` delta. */
export interface Decoder {
  /** Deltas of a frame. The array and its items belong to the decoder until the next call. */
  push(frame: Frame): readonly Delta[]
  /** Called at a clean end of the body. */
  end(): readonly Delta[]
}

/** What to send and what a frame means. Never a clock, never a socket. */
export interface Endpoint {
  /** Body of a request. Errors are `AiperfError`s that name the turn's fault. */
  encode(input: EncodeInput): WireRequest
  /** A new decoder, one per response. */
  decoder(): Decoder
  /** The texts of a body that a server would tokenize as input, in order (for ISL). Takes the body that was sent. */
  inputTexts(body: Json): string[]
  /** Capability: replies go back into the history. */
  conversational?: Conversational
  /** Capability: jobs that are polled (video generation). */
  polling?: Polling
}

/** Capability of an endpoint whose conversations go on with what the server answered. */
export interface Conversational {
  /** The reply as the wire form puts it into a later body, from all deltas of the response; undefined: nothing to add. */
  reply(deltas: readonly Delta[]): { message: Json; id?: string } | undefined
}

/** What comes next for a job: ask again at `path`; done, with a file to download; or failed. */
export type PollStep =
  | { kind: 'wait'; path: string }
  | { kind: 'done'; download?: string }
  | { kind: 'failed'; message: string }

/** Capability of an endpoint whose requests submit jobs. */
export interface Polling {
  /** Time between the end of one poll and the next, ms. */
  readonly intervalMs: number
  /** Next step after the submit body or a poll body. Paths lead on from the path of the submission (`<id>`), or are absolute URLs of its origin. */
  next(body: Json): PollStep
}
