import type { Json, Session } from '@aiperf/core'
import { sessionId } from '../shared/ids.js'
import type { WorkerPhase } from './setup.js'

/** One conversation under way. It stays on the worker that started it. */
export interface LiveSession {
  phase: WorkerPhase
  number: number
  conversation: number
  /** Turn that is next or under way, the first one played, and the end: the turn after the last. */
  turn: number
  firstTurn: number
  turns: number
  user: number
  url: number
  correlationId: string
  /** Due time of the turn that is next or under way, ns. */
  dueNs: number
  claimedNs: number
  /** History, for sessions whose bodies are made during the run. */
  dynamic: Session | undefined
  replies: (Json | undefined)[]
  previousId: string | undefined
}

export function createSession(phase: WorkerPhase, number: number, runHex: string): LiveSession {
  return {
    phase,
    number,
    conversation: 0,
    turn: 0,
    firstTurn: 0,
    turns: 1,
    user: Number.NaN,
    url: 0,
    correlationId: sessionId(runHex, phase.index, number),
    dueNs: 0,
    claimedNs: 0,
    dynamic: undefined,
    replies: [],
    previousId: undefined,
  }
}
