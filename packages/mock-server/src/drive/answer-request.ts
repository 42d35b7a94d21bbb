import { AskError, type Ask } from '../ask/ask.js'
import { eventsOf } from '../answer/answer.js'
import { Generation } from '../answer/generation.js'
import { UnknownModel } from '../answer/planner.js'
import type { ServerContext } from '../context.js'
import type { FaultPlan } from '../faults/plan.js'
import type { Exchange } from '../http/exchange.js'
import type { TruthEntry } from '../truth/entry.js'
import type { WireMaker } from '../wire/wire.js'
import { sendInstantly } from './instant.js'
import { PacedAnswer } from './paced.js'
import { Ping } from './ping.js'

/** Answers a request for generated text. `read` makes the ask of its body, `makeWire` the shape of the answer. */
export function answerRequest(exchange: Exchange, context: ServerContext, read: (body: Buffer) => Ask, makeWire: WireMaker): void {
  const entry = context.ledger.begin(exchange)
  try {
    const ask = read(exchange.request.body)
    context.ledger.asked(entry, ask)
    const faults = context.faults(entry.ordinal)
    if (faults) entry.faults = faults.names
    if (faults?.status) fail(exchange, context, entry, faults.status, 'an injected error')
    else generate(exchange, context, entry, ask, faults, makeWire)
  } catch (error) {
    if (!(error instanceof AskError)) {
      context.ledger.end(entry, 'error', 500)
      throw error
    }
    fail(exchange, context, entry, error instanceof UnknownModel ? 404 : 400, error.message)
  }
}

function generate(exchange: Exchange, context: ServerContext, entry: TruthEntry, ask: Ask, faults: FaultPlan | undefined, makeWire: WireMaker): void {
  const { options, engine, pacer } = context
  const answer = context.planner.plan(entry.ordinal, ask, faults)
  entry.promptTokens = answer.promptTokens
  entry.plan(answer.tokens, eventsOf(answer))
  const wire = makeWire(answer, options)
  const generation = new Generation(exchange, answer, wire, entry, context.ledger, faults)
  if (answer.stream && wire.early) generation.open()
  if (answer.stream && options.pingMs > 0) pacer.add(new Ping(generation, options.pingMs))
  if (engine) engine.submit(generation, ask.prompt?.whole ?? '')
  else if (options.instant && !generation.pauses) sendInstantly(generation, options.coalesce)
  else pacer.add(new PacedAnswer(generation, context.times, context.traffic))
}

/** Answers with an error status, and writes that down. */
export function fail(exchange: Exchange, context: ServerContext, entry: TruthEntry, status: number, message: string): void {
  context.ledger.end(entry, 'error', status)
  const retry = status === 429 || status === 503 ? '\r\nretry-after: 1' : ''
  exchange.respondError(status, message, undefined, retry)
}
