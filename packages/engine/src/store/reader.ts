import type { PlanDataset, Session } from '@aiperf/core'
import { readOverflow } from '../shared/overflow-file.js'
import { IN_FILE, SESSION_FIELDS, SESSION_INDEX, TURN_FIELDS, TURN_INDEX, WANTED_WORDS, type SessionField, type StoreShared, type TurnField } from './layout.js'

/** Reads the prepared dataset. */
export class Store implements PlanDataset {
  readonly shared: StoreShared
  readonly #segments: Buffer[]
  readonly #turns: Float64Array
  readonly #sessions: Float64Array
  readonly #made: Int32Array | undefined

  constructor(shared: StoreShared) {
    this.shared = shared
    this.#segments = shared.segments.map((s) => Buffer.from(s as unknown as ArrayBuffer))
    this.#turns = new Float64Array(shared.turns)
    this.#sessions = new Float64Array(shared.sessions)
    this.#made = shared.made && new Int32Array(shared.made)
  }

  get size(): number {
    return this.shared.sessionCount
  }
  turns(session: number): number {
    return this.session(session, 'turns')
  }
  /** Whether the session's bodies are there; false while they are still being made. */
  isMade(session: number): boolean {
    return this.#made === undefined || Atomics.load(this.#made, session) === 1
  }
  /** Asks for a session's bodies before others, on behalf of a worker. */
  want(session: number, worker: number): void {
    if (this.#made) Atomics.store(this.#made, this.size + (worker % WANTED_WORDS), session + 1)
  }
  /** Row of a session's turn. */
  row(session: number, turn: number): number {
    return this.session(session, 'firstTurn') + turn
  }
  turn(row: number, field: TurnField): number {
    return this.#turns[row * TURN_FIELDS.length + TURN_INDEX[field]]!
  }
  /** Keeps the input tokens of a turn that were counted late, for the next time it is sent. */
  keepInputTokens(row: number, tokens: number): void {
    this.#turns[row * TURN_FIELDS.length + TURN_INDEX.inputTokens] = tokens
  }
  session(session: number, field: SessionField): number {
    return this.#sessions[session * SESSION_FIELDS.length + SESSION_INDEX[field]]!
  }
  timestampMs(session: number, turn: number): number | undefined {
    const ms = this.turn(this.row(session, turn), 'timestampMs')
    return Number.isNaN(ms) ? undefined : ms
  }
  id(session: number): string {
    return this.#slice(this.session(session, 'idSegment'), this.session(session, 'idOffset'), this.session(session, 'idLength')).toString()
  }
  /** The prepared body; undefined when it is encoded when sent. A view where memory holds it: no copy. */
  body(row: number): Buffer | undefined {
    const at = row * TURN_FIELDS.length
    const segment = this.#turns[at]!
    if (segment < 0) return undefined
    return this.#slice(segment, this.#turns[at + 1]!, this.#turns[at + 2]!)
  }
  /** Extra headers of a turn, flat. */
  headers(row: number): string[] {
    const segment = this.turn(row, 'headersSegment')
    if (segment < 0) return []
    return JSON.parse(this.#slice(segment, this.turn(row, 'headersOffset'), this.turn(row, 'headersLength')).toString()) as string[]
  }
  /** The whole session, where later bodies are made during the run. */
  dynamic(session: number): Session | undefined {
    const segment = this.session(session, 'segment')
    if (segment < 0) return undefined
    return JSON.parse(this.#slice(segment, this.session(session, 'offset'), this.session(session, 'length')).toString()) as Session
  }
  #slice(segment: number, offset: number, length: number): Buffer {
    if (segment === IN_FILE) return Buffer.from(readOverflow(this.shared.file!, offset, length))
    return this.#segments[segment]!.subarray(offset, offset + length)
  }
}
