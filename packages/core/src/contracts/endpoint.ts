import type { Json, JsonObject, Session, Turn } from './dataset.js'
import type { Delta, Frame, WireRequest } from './wire.js'

/** What an endpoint declares in its manifest entry (`meta`): readable without loading it. */
export interface EndpointMeta {
  description: string
  /** Default path; `` for types that send to the URL as given (raw, template). */
  path: string
  /** Path when streaming, where it differs. */
  streamingPath?: string
  streams: boolean
  producesTokens: boolean
  tokenizesInput: boolean
  /** Modalities the body can carry: `image`, `audio`, `video`. */
  media: readonly string[]
  consumesSystemMessage?: boolean
  supportsCacheBust?: boolean
  producesImages?: boolean
  producesVideos?: boolean
  polling?: boolean
  formData?: boolean
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
  useLegacyMaxTokens: boolean
  useServerTokenCount: boolean
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

export interface Conversational {
  /** The reply as the wire form puts it into a later body, from all deltas of the response; undefined: nothing to add. */
  reply(deltas: readonly Delta[]): { message: Json; id?: string } | undefined
}

export type PollStep =
  | { kind: 'wait'; path: string }
  | { kind: 'done'; download?: string }
  | { kind: 'failed'; message: string }

export interface Polling {
  /** Time between the end of one poll and the next, ms. */
  readonly intervalMs: number
  /** Next step after the submit body or a poll body. Paths lead on from the path of the submission (`<id>`), or are absolute URLs of its origin. */
  next(body: Json): PollStep
}
