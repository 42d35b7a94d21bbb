import { AskError, type Ask } from '../ask/ask.js'
import { eventsOf } from '../answer/answer.js'
import { Generation } from '../answer/generation.js'
import { UnknownModel } from '../answer/planner.js'
import type { ServerContext } from '../context.js'
import type { FaultPlan } from '../faults/plan.js'
import type { Exchange } from '../http/exchange.js'
import type { HttpRequest } from '../http/request.js'
import type { TruthEntry } from '../truth/entry.js'
import { OPENAI, type ErrorShape } from '../wire/errors.js'
import type { WireMaker } from '../wire/wire.js'
import { sendInstantly } from './instant.js'
import { PacedAnswer } from './paced.js'
import { Ping } from './ping.js'

/** Makes the ask of a request's body. Throws `AskError`. */
export type AskReader<A extends Ask = Ask> = (body: Buffer, request: HttpRequest) => A

/** Answers a request for something generated. `makeWire` makes the shape of the answer, `errors` that of a refusal. */
export function answerRequest<A extends Ask>(exchange: Exchange, context: ServerContext, read: AskReader<A>, makeWire: WireMaker<A>, errors = OPENAI): void {
  taken(exchange, context, errors, (entry) => {
    const ask = read(exchange.request.body, exchange.request)
    context.ledger.asked(entry, ask)
    const faults = faultsFor(entry, context)
    if (faults?.status) fail(exchange, context, entry, faults.status, 'an injected error', errors)
    else generate(exchange, context, entry, ask, faults, makeWire)
  })
}

/** Writes down that a request has come, and answers what is wrong with it. */
export function taken(exchange: Exchange, context: ServerContext, errors: ErrorShape, answer: (entry: TruthEntry) => void): void {
  const entry = context.ledger.begin(exchange)
  try {
    answer(entry)
  } catch (error) {
    if (!(error instanceof AskError)) {
      context.ledger.end(entry, 'error', 500)
      throw error
    }
    fail(exchange, context, entry, error instanceof UnknownModel ? 404 : errors.invalid, error.message, errors)
  }
}

/** What goes wrong with a request; its names are written down. */
export function faultsFor(entry: TruthEntry, context: ServerContext): FaultPlan | undefined {
  const faults = context.faults(entry.ordinal)
  if (faults) entry.faults = faults.names
  return faults
}

function generate<A extends Ask>(exchange: Exchange, context: ServerContext, entry: TruthEntry, ask: A, faults: FaultPlan | undefined, makeWire: WireMaker<A>): void {
  const { options, engine, pacer } = context
  const answer = context.planner.plan(entry.ordinal, ask, faults)
  entry.promptTokens = answer.promptTokens
  entry.plan(answer.tokens, eventsOf(answer))
  const wire = makeWire(answer, options, ask)
  const generation = new Generation(exchange, answer, wire, entry, context.ledger, faults)
  if (answer.stream && wire.early) generation.open()
  if (answer.stream && options.pingMs > 0) pacer.add(new Ping(generation, options.pingMs))
  if (engine) engine.submit(generation, ask.prompt?.whole ?? '')
  else if (options.instant && !generation.pauses) sendInstantly(generation, options.coalesce)
  else pacer.add(new PacedAnswer(generation, context.times, context.traffic))
}

/** Answers with an error status, and writes that down. */
export function fail(exchange: Exchange, context: ServerContext, entry: TruthEntry, status: number, message: string, errors: ErrorShape): void {
  context.ledger.end(entry, 'error', status)
  const retry = status === 429 || status === 503 ? '\r\nretry-after: 1' : ''
  exchange.respondJson(status, errors.body(status, message), retry)
}
