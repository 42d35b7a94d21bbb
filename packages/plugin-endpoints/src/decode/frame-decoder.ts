import type { Decoder, Delta, Frame, Json } from '@aiperf/core'
import { serverError } from './server-error.js'
import { TextTemplate } from './text-template.js'

/** What an endpoint knows of its answers: how a JSON frame reads. A new one for each response; it may keep state. */
export interface FrameReader {
  /** Appends what `body` means. Errors and end marks common to all are dealt with before. */
  read(body: Json, out: Delta[], frame: Frame): void
  /**
   * The one text that a chunk brings, wherever it stands, when it brings nothing else and reading it changes no state:
   * a chunk that differs only in this text is not read. Pure. Only for endpoints whose streams consist of many like chunks.
   */
  pick?(body: Json): string | undefined
  /** Reads a frame that is no JSON; absent: it is malformed. Returns whether it was understood. */
  readText?(frame: Frame, out: Delta[]): boolean
  /** Appends what is known only at the end. */
  end?(out: Delta[]): void
}

const DONE: readonly Delta[] = [{ kind: 'done' }]
const NOTHING: readonly Delta[] = []

/** Decodes the frames of one response by a reader, without parsing where the form of a chunk is known. */
export class FrameDecoder implements Decoder {
  readonly #reader: FrameReader
  readonly #out: Delta[] = []
  #template: TextTemplate | undefined
  /** The delta that the template stands for, and itself as an answer. */
  #like: Extract<Delta, { kind: 'text' | 'reasoning' | 'tool' }> | undefined
  #likeEvent = ''
  readonly #single: Delta[] = []

  constructor(reader: FrameReader) {
    this.#reader = reader
  }

  push(frame: Frame): readonly Delta[] {
    const { data } = frame
    const like = this.#like
    if (like !== undefined && frame.event === this.#likeEvent) {
      const text = this.#template!.match(data)
      if (text !== undefined) {
        if (like.kind === 'tool') like.arguments = text
        else like.text = text
        return this.#single
      }
    }
    const done = isDone(data)
    if (!done && data.length > 0) return this.#parse(frame)
    const error = serverError(frame, undefined)
    if (error !== undefined) return [error]
    return done ? DONE : NOTHING
  }

  #parse(frame: Frame): readonly Delta[] {
    const out = this.#out
    out.length = 0
    const body = frame.json()
    const error = serverError(frame, body)
    if (error !== undefined) out.push(error)
    if (body !== undefined) this.#reader.read(body, out, frame)
    else if (error === undefined && !this.#reader.readText?.(frame, out)) {
      const text = frame.text()
      if (text.trim() !== '') out.push({ kind: 'malformed', reason: `expected JSON, got ${JSON.stringify(text.slice(0, 200))}` })
    }
    if (body !== undefined && out.length === 1 && frame.framing !== 'body' && this.#reader.pick !== undefined) this.#learn(frame, body, out[0]!)
    return out
  }

  #learn(frame: Frame, body: Json, delta: Delta): void {
    if (delta.kind !== 'text' && delta.kind !== 'reasoning' && !(delta.kind === 'tool' && delta.id === undefined && delta.name === undefined)) return
    const text = delta.kind === 'tool' ? delta.arguments : delta.text
    const pick = (chunk: Json): string | undefined => this.#reader.pick!(chunk)
    if (text === undefined || text === '' || pick(body) !== text) return
    this.#template ??= new TextTemplate()
    this.#template.learn(frame.data, text, pick)
    this.#like = { ...delta }
    this.#likeEvent = frame.event
    this.#single[0] = this.#like
  }

  end(): readonly Delta[] {
    if (this.#reader.end === undefined) return NOTHING
    this.#out.length = 0
    this.#reader.end(this.#out)
    return this.#out
  }
}

/** `[DONE]`, in small letters, as a JSON string or amid white space too. */
function isDone(data: Uint8Array): boolean {
  return data.length >= 6 && data.length <= 16 && /^\s*("?)\[DONE\]\1\s*$/i.test(Buffer.from(data).toString('latin1'))
}
