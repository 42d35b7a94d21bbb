import type { FaultPlan } from '../faults/plan.js'
import type { Exchange } from '../http/exchange.js'
import { responseHead, type Framing } from '../http/response.js'
import type { Wire } from '../wire/wire.js'
import type { Answer } from './answer.js'

/** How a body ended: to its end, or broken off by a fault. */
export type BodyEnding = 'complete' | 'cut' | 'reset' | 'truncate' | 'errorEvent'

/** What the bytes of an answer are made of. */
export interface Body {
  /** The response head. */
  head(): string
  /** What can be sent before the first token. */
  opening(): string
  /** The next event with tokens, and all that follows the last one; sets `ended` where nothing comes after it. */
  next(nowMs: number): string
  readonly ended: BodyEnding | undefined
}

/** What a body is made from. */
export interface BodyParts {
  readonly exchange: Exchange
  readonly answer: Answer
  readonly wire: Wire
  readonly faults: FaultPlan | undefined
  /** Writes down that an event with so many tokens is sent. */
  readonly sent: (tokens: number, nowMs: number) => void
}

/** The head of an answer. */
export function answerHead({ exchange, faults }: BodyParts, contentType: string, framing: Framing, extra = ''): string {
  const promise = faults?.drop ? '\r\nconnection: keep-alive\r\nkeep-alive: timeout=5, max=100' : ''
  return responseHead(200, contentType, framing, extra + promise + exchange.commonHeaders())
}

/** After how many tokens something in the middle happens: at least 1, and before the last where there are several. */
export function tokenAt(share: number, tokens: number): number {
  return 1 + Math.floor(share * Math.max(0, tokens - 1))
}
