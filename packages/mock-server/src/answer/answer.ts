import type { Ask } from '../ask/ask.js'
import { words, wordsFrom } from './words.js'

/** Which part of an answer a token belongs to. */
export type Part = 'reasoning' | 'content' | 'tool'

/** The answer to one request, decided in full before its first byte is sent. */
export interface Answer {
  readonly ordinal: number
  /** Unique per server and run, 16 hexadecimal digits; the wire shape puts its prefix before it. */
  readonly id: string
  /** Unix time in seconds. */
  readonly created: number
  readonly model: string
  readonly stream: boolean
  /** All tokens; the first `reasoningTokens` of them are reasoning. */
  readonly tokens: number
  readonly reasoningTokens: number
  readonly tokensPerChunk: number
  /** Name of the function called, where the answer is a tool call. */
  readonly tool: string | undefined
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  readonly promptTokens: number
  /** Found in the prefix cache, as is known once the request begins to run; undefined where there is no cache. */
  cachedTokens: number | undefined
  /** Whether a stream reports usage at its end. */
  readonly usage: boolean
  readonly usageInEveryChunk: boolean
  /** Where in the ring of words the text begins. */
  readonly firstWord: number
}

export function partAt(answer: Answer, token: number): Part {
  if (token < answer.reasoningTokens) return 'reasoning'
  return answer.tool === undefined ? 'content' : 'tool'
}

/** How many tokens the event that begins with this token carries: an event never mixes reasoning and content. */
export function tokensInEvent(answer: Answer, token: number): number {
  const partEnd = token < answer.reasoningTokens ? answer.reasoningTokens : answer.tokens
  return Math.min(answer.tokensPerChunk, partEnd - token)
}

/** How many events carry the answer's tokens. */
export function eventsOf(answer: Answer): number {
  if (!answer.stream) return 1
  const { tokensPerChunk, reasoningTokens, tokens } = answer
  return Math.ceil(reasoningTokens / tokensPerChunk) + Math.ceil((tokens - reasoningTokens) / tokensPerChunk)
}

/** The words of some of the answer's tokens; where the answer is a tool call, they stand within its arguments. */
export function answerText(answer: Answer, from: number, count: number): string {
  return wordsFrom(answer.firstWord + from, count)
}

/** All of the answer's content, as the client will replay it in the next turn. */
export function contentOf(answer: Answer): string {
  return answer.tool === undefined ? answerText(answer, answer.reasoningTokens, answer.tokens - answer.reasoningTokens) : ''
}

/** How many tokens an answer has: what was asked for, within what the server would say by itself. */
export function lengthOf(ask: Ask, natural: number | undefined): { tokens: number; finishReason: 'stop' | 'length' } {
  const limit = ask.maxTokens ?? (natural === undefined ? 128 : Infinity)
  const wanted = ask.ignoreEos && ask.maxTokens !== undefined ? limit : Math.max(natural ?? limit, ask.minTokens)
  if (ask.maxTokens !== undefined && wanted >= limit) return { tokens: limit, finishReason: 'length' }
  return { tokens: wanted, finishReason: 'stop' }
}

/** How many words the ring of words has. */
export const wordCount: number = words.length
