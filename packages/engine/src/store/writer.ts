import { createHash } from 'node:crypto'
import { SESSION_FIELDS, SESSION_INDEX, TURN_FIELDS, TURN_INDEX, type SessionField, type StoreShared, type TurnField } from './layout.js'

const SEGMENT_BYTES = 4 * 1024 * 1024

class Rows {
  #values: Float64Array
  count = 0
  readonly width: number
  constructor(width: number) {
    this.width = width
    this.#values = new Float64Array(width * 256)
  }
  add(): number {
    if ((this.count + 1) * this.width > this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.fill(Number.NaN, this.count * this.width, (this.count + 1) * this.width)
    return this.count++
  }
  set(row: number, column: number, value: number): void {
    this.#values[row * this.width + column] = value
  }
  shared(): SharedArrayBuffer {
    const buffer = new SharedArrayBuffer(Math.max(8, this.count * this.width * 8))
    new Float64Array(buffer).set(this.#values.subarray(0, this.count * this.width))
    return buffer
  }
}

/** Where bytes went. */
export interface Place {
  segment: number
  offset: number
  length: number
}

/** Builds a store; frozen by `finish`. */
export class StoreWriter {
  readonly #segments: SharedArrayBuffer[] = []
  #current: Uint8Array = new Uint8Array(0)
  #used = 0
  readonly #turns = new Rows(TURN_FIELDS.length)
  readonly #sessions = new Rows(SESSION_FIELDS.length)

  bytes(data: Uint8Array): Place {
    if (this.#used + data.length > this.#current.length) {
      // The first segment is small: most runs need no more.
      const size = Math.max(this.#segments.length === 0 ? SEGMENT_BYTES / 8 : SEGMENT_BYTES, data.length)
      const segment = new SharedArrayBuffer(size)
      this.#segments.push(segment)
      this.#current = new Uint8Array(segment)
      this.#used = 0
    }
    this.#current.set(data, this.#used)
    const place = { segment: this.#segments.length - 1, offset: this.#used, length: data.length }
    this.#used += data.length
    return place
  }

  addSession(id: string, turns: number): number {
    const row = this.#sessions.add()
    this.setSession(row, 'firstTurn', this.#turns.count)
    this.setSession(row, 'turns', turns)
    this.setSession(row, 'segment', -1)
    const place = this.bytes(Buffer.from(id))
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

  /** SHA-256 (hex) of everything that was put in, in order: prompts, ids, sessions. */
  hash(): string {
    const hash = createHash('sha256')
    this.#segments.forEach((segment, i) => hash.update(new Uint8Array(segment, 0, i === this.#segments.length - 1 ? this.#used : segment.byteLength)))
    return hash.digest('hex')
  }

  get sessionCount(): number {
    return this.#sessions.count
  }
  get turnCount(): number {
    return this.#turns.count
  }

  finish(wire: StoreShared['wire']): StoreShared {
    return {
      segments: this.#segments,
      turns: this.#turns.shared(),
      sessions: this.#sessions.shared(),
      turnCount: this.#turns.count,
      sessionCount: this.#sessions.count,
      wire,
    }
  }
}
