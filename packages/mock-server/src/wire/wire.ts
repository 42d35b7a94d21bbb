import type { Answer, Part } from '../answer/answer.js'
import type { Ask } from '../ask/ask.js'
import { asciiJson } from '../http/response.js'

/** One event that carries tokens. */
export interface TokenEvent {
  readonly text: string
  readonly part: Part
  /** First event of the answer. */
  readonly first: boolean
  /** Last event of the answer. */
  readonly last: boolean
  /** First event of its part: reasoning, content or tool call. */
  readonly firstOfPart: boolean
  /** Tokens sent with it and before it. */
  readonly tokensSoFar: number
}

/**
 * How an answer looks on the wire: one object per answer. Everything it returns is ASCII, and an event is the whole
 * block with its empty line (`data: …\n\n`), as a list where there may be none or several.
 */
export interface Wire {
  /** Events before the first token; sent with it, or at arrival where `early`. */
  readonly early: boolean
  start(): string[]
  /** The event for some tokens, and any that must go with it. */
  tokens(event: TokenEvent): string
  /** Finish reason, usage and the end mark. */
  end(): string[]
  /** An error as JSON, in the shape of this API. */
  errorJson(message: string): string
  /** The event that carries an error in a stream. */
  error(json: string): string
  /** The answer as one text, JSON unless `wholeType` says otherwise. */
  whole(): string
  /** Content type of the whole answer where it is not JSON. */
  readonly wholeType?: string | undefined
}

/** Which of the wire's choices the options make. */
export interface WireStyle {
  readonly roleChunk: 'separate' | 'merged' | 'early' | 'none'
  readonly finishChunk: 'separate' | 'merged'
  readonly usageChunk: 'separate' | 'merged'
  readonly done: boolean
}

export type WireMaker<A extends Ask = Ask> = (answer: Answer, style: WireStyle, ask: A) => Wire

/** The error object of OpenAI-compatible servers. */
export function openAiError(message: string): string {
  return asciiJson({ error: { message, type: 'InternalServerError', param: null, code: 500 } })
}

/** A server-sent event with data alone. */
export function dataEvent(json: string): string {
  return `data: ${json}\n\n`
}

/** A server-sent event with a name. */
export function namedEvent(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`
}

export const DONE: string = dataEvent('[DONE]')
