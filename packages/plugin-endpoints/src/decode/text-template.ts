import type { Json } from '@aiperf/core'
import { ShortTexts } from './short-texts.js'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NO_BYTES = Buffer.alloc(0)
/** Shared by all responses a thread decodes. */
const TEXTS = new ShortTexts()
/** Stands for any text while a template is checked. Nothing a model says by chance, and nothing that JSON escapes. */
const PROBE = 'aiperf-probe-4d1f8e07c2b95a63'

/**
 * The bytes around the one string that changes from chunk to chunk of a stream.
 *
 * In most streams all chunks are equal but for the text they carry. Once a chunk has been parsed, the bytes before and
 * after its text are kept; a later chunk that begins and ends with the same bytes, and has a legal JSON string between
 * them, has the same tree with another text in the same place, so that it need not be parsed. This is no heuristic: JSON
 * has no context that a string's content could change.
 */
export class TextTemplate {
  #prefix: Buffer = NO_BYTES
  #suffix: Buffer = NO_BYTES
  #known = false
  /** Chunks to let pass before another attempt to learn: streams whose chunks all differ must not be probed each time. */
  #pause = 0
  #backoff = 0
  #matched = false
  /** A Buffer over the memory of the last data, made once per read buffer. */
  #view: Buffer = NO_BYTES

  /** The text of `data` if it has the learned form and a non-empty text; undefined: parse it. */
  match(data: Uint8Array): string | undefined {
    if (!this.#known) return undefined
    const prefix = this.#prefix
    const suffix = this.#suffix
    const start = prefix.length
    const end = data.length - suffix.length
    if (end <= start) return undefined
    if (prefix.compare(data, 0, start) !== 0 || suffix.compare(data, end) !== 0) return undefined
    let all = 0
    let hash = 0
    let escaped = false
    for (let i = start; i < end; i++) {
      const byte = data[i]!
      if (byte < 0x20) return undefined
      if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE && !escaped) return undefined
      all |= byte
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    const text = all < 0x80 ? (TEXTS.find(data, start, end, hash) ?? this.#ascii(data, start, end, hash, escaped)) : this.#unicode(data, start, end, escaped)
    if (text !== undefined) this.#matched = true
    return text
  }

  #ascii(data: Uint8Array, start: number, end: number, hash: number, escaped: boolean): string | undefined {
    const at = data.byteOffset
    const run = this.#over(data).toString('latin1', at + start, at + end)
    const text = escaped ? unescaped(run) : run
    if (text !== undefined) TEXTS.keep(run, text, hash)
    return text
  }

  #unicode(data: Uint8Array, start: number, end: number, escaped: boolean): string | undefined {
    const at = data.byteOffset
    const text = this.#over(data).toString('utf8', at + start, at + end)
    return escaped ? unescaped(text) : text
  }

  /**
   * Learns from a chunk that holds `text` and nothing else of interest. `pick` finds the text in a parsed chunk; it is
   * asked about the chunk with another text put in, so that only the place it reads from is taken.
   */
  learn(data: Uint8Array, text: string, pick: (chunk: Json) => string | undefined): void {
    if (this.#known && !this.#matched) {
      this.#backoff = Math.min(64, this.#backoff * 2 + 1)
      this.#pause = this.#backoff
    } else if (this.#matched) this.#backoff = 0
    this.#known = this.#matched = false
    if (this.#pause > 0) {
      this.#pause--
      return
    }
    const bytes = this.#over(data)
    const at = data.byteOffset
    const whole = bytes.toString('utf8', at, at + data.length)
    for (const literal of literals(text)) {
      for (let found = whole.indexOf(literal); found >= 0; found = whole.indexOf(literal, found + 1)) {
        const before = whole.slice(0, found + 1)
        const after = whole.slice(found + literal.length - 1)
        if (pickFrom(before + PROBE + after, pick) !== PROBE) continue
        this.#prefix = Buffer.from(before)
        this.#suffix = Buffer.from(after)
        // Bytes that are no UTF-8 do not survive the way through text: then there is no template.
        this.#known = this.#prefix.compare(data, 0, this.#prefix.length) === 0 && this.#suffix.compare(data, data.length - this.#suffix.length) === 0
        return
      }
    }
  }

  #over(data: Uint8Array): Buffer {
    if (this.#view.buffer !== data.buffer) this.#view = Buffer.from(data.buffer as ArrayBuffer)
    return this.#view
  }
}

/** The ways in which servers write a text as a JSON string: escaped where it must be, or beyond ASCII everywhere. */
function literals(text: string): string[] {
  const plain = JSON.stringify(text)
  const ascii = plain.replace(/[\x7f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return ascii === plain ? [plain] : [plain, ascii]
}

function pickFrom(text: string, pick: (chunk: Json) => string | undefined): string | undefined {
  try {
    return pick(JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

/** Undefined when it is no legal content of a JSON string. */
function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}
