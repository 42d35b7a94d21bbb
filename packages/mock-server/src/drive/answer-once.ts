import type { Ask } from '../ask/ask.js'
import type { ServerContext } from '../context.js'
import type { FaultPlan } from '../faults/plan.js'
import type { Exchange } from '../http/exchange.js'
import type { HttpRequest } from '../http/request.js'
import { OPENAI } from '../wire/errors.js'
import { fail, faultsFor, taken } from './answer-request.js'
import { sendLater } from './later.js'

/** A request that is answered by one JSON value, with nothing generated token by token. */
export interface Question {
  /** '' where the request names none. */
  readonly model: string
  /** What counts as its prompt. */
  readonly texts: readonly string[]
  readonly otherPromptTokens?: number
  answer(facts: Facts): unknown
}

/** What the server adds to an answer. */
interface Facts {
  /** 16 hexadecimal digits. */
  readonly id: string
  /** The model asked for, or the first one served. */
  readonly model: string
  readonly promptTokens: number
  readonly faults: FaultPlan | undefined
}

/** Answers such a request after the time to first token. `read` throws `AskError`. */
export function answerOnce(exchange: Exchange, context: ServerContext, read: (body: Buffer, request: HttpRequest) => Question, errors = OPENAI): void {
  taken(exchange, context, errors, (entry) => {
    const question = read(exchange.request.body, exchange.request)
    const ask = askOf(question)
    context.ledger.asked(entry, ask)
    const faults = faultsFor(entry, context)
    if (faults?.status) return fail(exchange, context, entry, faults.status, 'an injected error', errors)
    const { planner } = context
    const model = planner.modelFor(question.model)
    entry.promptTokens = planner.promptTokens(ask)
    sendLater(exchange, context, entry, question.answer({ id: planner.id(entry.ordinal), model, promptTokens: entry.promptTokens, faults }))
  })
}

function askOf({ model, texts, otherPromptTokens = 0 }: Question): Ask {
  const whole = texts.join('')
  const limits = { maxTokens: undefined, minTokens: 0, ignoreEos: false }
  return { model, stream: false, includeUsage: false, usageInEveryChunk: false, ...limits, promptChars: whole.length, prompt: { texts, whole }, otherPromptTokens }
}
