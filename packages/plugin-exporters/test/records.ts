import { FACTS, type FactName, type Outcome, OUTCOMES, type RecordView, type RequestError } from '@aiperf/core'

/** One request of a made-up run, in the words of a test. Times are ms on the run's clock. */
export interface MadeRecord {
  phase?: number
  session?: number
  turn?: number
  dueMs?: number
  startMs: number
  /** Wait for the first token, and the gaps between the following ones. */
  firstMs?: number
  gapsMs?: number[]
  /** From the last token to the end of the body; from the start for requests without tokens. */
  restMs?: number
  inputTokens?: number
  outputTokens?: number
  outcome?: Outcome
  error?: RequestError
  finishReason?: string
  facts?: Partial<Record<FactName, number>>
}

const ms = (value: number | undefined) => (value === undefined ? Number.NaN : Math.round(value * 1e6))

/** The record as exporters see it. */
export function recordView(made: MadeRecord, ordinal: number): RecordView {
  const facts = Object.fromEntries(Object.keys(FACTS).map((name) => [name, Number.NaN])) as Record<FactName, number>
  const outcome = made.outcome ?? 'done'
  const tokens: number[] = []
  if (made.firstMs !== undefined) {
    let at = ms(made.startMs + made.firstMs)
    tokens.push(at)
    for (const gap of made.gapsMs ?? []) tokens.push((at += ms(gap)))
  }
  const start = ms(made.startMs)
  const reused = ordinal < 2 ? 0 : 1
  Object.assign(facts, {
    ordinal, phase: made.phase ?? 0, session: made.session ?? ordinal, conversation: made.session ?? ordinal, turn: made.turn ?? 0,
    worker: ordinal % 2, recorder: 0, url: 0, model: 0,
    dueNs: made.dueMs === undefined ? start - 20_000 : ms(made.dueMs), claimedNs: start - 10_000, dispatchedNs: start, assignedNs: start + (reused ? 5_000 : 1_200_000),
    writtenNs: start + (reused ? 40_000 : 1_260_000), tcpNs: reused ? Number.NaN : start + 1_200_000,
    headNs: tokens.length > 0 ? tokens[0]! - 100_000 : Number.NaN, firstByteNs: tokens.length > 0 ? tokens[0]! - 120_000 : Number.NaN,
    firstTokenNs: tokens[0] ?? Number.NaN, firstOutputNs: tokens[0] ?? Number.NaN, lastTokenNs: tokens.at(-1) ?? Number.NaN,
    endNs: (tokens.at(-1) ?? start) + ms(made.restMs ?? 0.5),
    connection: 1, reused, retried: 0, bytesSent: 612, bytesReceived: tokens.length * 190, reads: tokens.length,
    status: outcome === 'connection' ? 0 : (made.error?.code ?? 200), outcome: OUTCOMES.indexOf(outcome), streaming: 1, streamed: tokens.length > 0 ? 1 : 0,
    frames: tokens.length + 1, malformed: 0, inputTokens: made.inputTokens ?? 100, outputTokens: tokens.length > 0 ? (made.outputTokens ?? tokens.length) : Number.NaN,
    contentEvents: tokens.length, user: Number.NaN,
  })
  Object.assign(facts, made.facts)
  return Object.assign(facts, {
    outcomeName: outcome,
    success: outcome === 'done' || outcome === 'finish' || outcome === 'body',
    finishReason: made.finishReason ?? (outcome === 'done' ? 'stop' : ''),
    error: made.error,
    tokenNs: Float64Array.from(tokens),
    tokenCounts: new Uint32Array(0),
    field: () => undefined,
  })
}
