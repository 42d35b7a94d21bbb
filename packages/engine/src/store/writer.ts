import { createHash } from 'node:crypto'
import { OverflowFile } from '../shared/overflow-file.js'
import { IN_FILE, SESSION_FIELDS, SESSION_INDEX, TURN_FIELDS, TURN_INDEX, type SessionField, type StoreShared, type TurnField } from './layout.js'
import { Rows } from './rows.js'

const SEGMENT_BYTES = 4 * 1024 * 1024
/** Bytes of a dataset that memory holds; what comes after goes to a file. */
const IN_MEMORY_BYTES = 128 * 1024 * 1024

/** Where bytes went. */
export interface Place {
  segment: number
  offset: number
  length: number
}

/** Takes bodies, and the numbers that are known with them. */
export interface BodySink {
  bytes(data: Uint8Array): Place
  setTurn(row: number, field: TurnField, value: number): void
  setSession(row: number, field: SessionField, value: number): void
}

/** Builds a store; frozen by `finish`. What is added after that are the bodies of `later`. */
export class StoreWriter implements BodySink {
  readonly #filePath: string
  readonly #segments: SharedArrayBuffer[] = []
  #current: Uint8Array = new Uint8Array(0)
  #used = 0
  #inMemory = 0
  #file: OverflowFile | undefined
  readonly #turns = new Rows(TURN_FIELDS.length)
  readonly #sessions = new Rows(SESSION_FIELDS.length)
  readonly #hash = createHash('sha256')

  /** `filePath`: where the file of bodies would be made, should there be too many for memory. */
  constructor(filePath: string) {
    this.#filePath = filePath
  }

  bytes(data: Uint8Array): Place {
    // What is left of the last segment is for ids and headers: bodies in it would make those ask for another one.
    if (this.#inMemory + data.length <= IN_MEMORY_BYTES) return this.small(data)
    this.#hash.update(data)
    return { segment: IN_FILE, offset: this.#bodyFile().append(data), length: data.length }
  }

  /** For what is to stay in memory: ids, headers. */
  small(data: Uint8Array): Place {
    this.#hash.update(data)
    const { length } = data
    if (this.#used + length > this.#current.length) {
      // The first segment is small: most runs need no more.
      const size = Math.max(this.#segments.length === 0 ? SEGMENT_BYTES / 8 : SEGMENT_BYTES, length)
      const segment = new SharedArrayBuffer(size)
      this.#segments.push(segment)
      this.#inMemory += size
      this.#current = new Uint8Array(segment)
      this.#used = 0
    }
    this.#current.set(data, this.#used)
    const place = { segment: this.#segments.length - 1, offset: this.#used, length }
    this.#used += length
    return place
  }

  addSession(id: string, turns: number): number {
    const row = this.#sessions.add()
    this.setSession(row, 'firstTurn', this.#turns.count)
    this.setSession(row, 'turns', turns)
    this.setSession(row, 'segment', -1)
    const place = this.small(Buffer.from(id))
    this.setSession(row, 'idSegment', place.segment)
    this.setSession(row, 'idOffset', place.offset)
    this.setSession(row, 'idLength', place.length)
    return row
  }

  addTurn(): number {
    const row = this.#turns.add()
    this.setTurn(row, 'segment', -1)
    this.setTurn(row, 'headersSegment', -1)
    this.setTurn(row, 'model', 0)
    return row
  }

  setTurn(row: number, field: TurnField, value: number): void {
    this.#turns.set(row, TURN_INDEX[field], value)
  }

  setSession(row: number, field: SessionField, value: number): void {
    this.#sessions.set(row, SESSION_INDEX[field], value)
  }

  /** Has what stands for bytes that are made later take part in the hash. */
  describe(text: string): void {
    this.#hash.update(text)
  }

  /** SHA-256 (hex) of everything that was put in, in order: ids, prompts, sessions, descriptions. */
  hash(): string {
    return this.#hash.copy().digest('hex')
  }

  get sessionCount(): number {
    return this.#sessions.count
  }
  get turnCount(): number {
    return this.#turns.count
  }

  /** `made`: whether each session's bodies are there; left out when all are. */
  finish(wire: StoreShared['wire'], made?: SharedArrayBuffer): StoreShared {
    if (made) this.#bodyFile()
    return {
      segments: this.#segments,
      turns: this.#turns.shared(),
      sessions: this.#sessions.shared(),
      turnCount: this.#turns.count,
      sessionCount: this.#sessions.count,
      ...(this.#file ? { file: this.#file.fd } : {}),
      ...(made ? { made } : {}),
      wire,
    }
  }

  /** Takes the bodies that are made after `finish`. */
  later(shared: StoreShared): BodySink {
    const turns = new Float64Array(shared.turns)
    const sessions = new Float64Array(shared.sessions)
    const file = this.#bodyFile()
    return {
      bytes: (data) => ({ segment: IN_FILE, offset: file.append(data), length: data.length }),
      setTurn: (row, field, value) => void (turns[row * TURN_FIELDS.length + TURN_INDEX[field]] = value),
      setSession: (row, field, value) => void (sessions[row * SESSION_FIELDS.length + SESSION_INDEX[field]] = value),
    }
  }

  /** Bytes of bodies so far, in memory and on disk. */
  get bodyBytes(): number {
    return this.#inMemory + (this.#file?.bytes ?? 0)
  }

  close(): void {
    this.#file?.close()
  }

  #bodyFile(): OverflowFile {
    return (this.#file ??= new OverflowFile(this.#filePath, 'The dataset'))
  }
}
