const LF = 10
const CR = 13
const COLON = 58
const SPACE = 32
const NONE = new Uint8Array(0)

/**
 * One block of an event stream, called when its blank line came (or the stream ended).
 *
 * @param event   name given by an `event:` line; `''` when there was none
 * @param data    the `data:` lines, joined by a line feed; empty when there was none. Valid only during the call
 * @param comment the comment lines of the block, joined by a line feed; `''` when there was none
 */
export type SseListener = (event: string, data: Uint8Array, comment: string) => void

/** One line of an event stream as it came; comments have the name `''`. `value` is valid only during the call. */
export type SseFieldListener = (name: string, value: Uint8Array) => void

/**
 * Incremental parser of `text/event-stream` bytes, after the HTML standard ("Parsing an event stream"): lines end with
 * LF, CR or CRLF; a byte-order mark at the start is skipped; one space after the colon is dropped; unknown fields are
 * ignored. The blocks it reports do not depend on where the bytes were cut.
 *
 * It differs from the standard in what it reports, since it serves measuring: a block is reported when it has data, a
 * name or a comment (a failure may come as a named event with nothing but a comment), and one that the end of the
 * stream leaves open is reported too. A line may have any length.
 */
export class SseParser {
  /** Start of a line that the last view left unfinished. */
  #line: Uint8Array = NONE
  #lineLength = 0
  /** Data of the open block: a part of `#source`, or, once copied, the start of `#data`. */
  #source: Uint8Array = NONE
  #start = 0
  #end = 0
  #data: Uint8Array = NONE
  #hasData = false
  #event = ''
  #comment = ''
  #atStart = true
  #afterCr = false
  #eventBytes: Uint8Array = NONE
  #eventText = ''
  readonly #onField: SseFieldListener | undefined

  /** @param onField is told of every line besides, for callers that keep a stream as it came. */
  constructor(onField?: SseFieldListener) {
    this.#onField = onField
  }

  /** Takes the next bytes. The view is not kept. */
  push(view: Uint8Array, onEvent: SseListener): void {
    const length = view.length
    let from = 0
    if (this.#afterCr && length > 0) {
      this.#afterCr = false
      if (view[0] === LF) from = 1
    }
    // Most streams have no CR: it is searched for once, not in each line.
    let nextCr = view.indexOf(CR, from)
    let nextLf = view.indexOf(LF, from)
    while (nextLf !== -1 || nextCr !== -1) {
      let end: number
      let next: number
      if (nextCr === -1 || (nextLf !== -1 && nextLf < nextCr)) {
        end = nextLf
        next = end + 1
      } else {
        end = nextCr
        next = end + 1
        if (next === length) this.#afterCr = true
        else if (view[next] === LF) next++
        nextCr = view.indexOf(CR, next)
      }
      if (this.#lineLength > 0) {
        this.#keepLine(view, from, end)
        const whole = this.#lineLength
        this.#lineLength = 0
        this.#field(this.#line, 0, whole, onEvent)
      } else this.#field(view, from, end, onEvent)
      from = next
      // A blank line follows most data lines: one look saves a search.
      if (nextLf !== -1 && nextLf < from) nextLf = view[from] === LF ? from : view.indexOf(LF, from)
    }
    if (this.#hasData && this.#source !== this.#data) this.#ownData(0)
    if (from < length) this.#keepLine(view, from, length)
  }

  /** The stream has ended: what is left is reported, and the parser is ready for another stream. */
  end(onEvent: SseListener): void {
    if (this.#lineLength > 0) {
      const whole = this.#lineLength
      this.#lineLength = 0
      this.#field(this.#line, 0, whole, onEvent)
    }
    this.#dispatch(onEvent)
    this.#atStart = true
    this.#afterCr = false
  }

  #field(bytes: Uint8Array, from: number, to: number, onEvent: SseListener): void {
    if (this.#atStart) {
      this.#atStart = false
      if (to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3
    }
    if (from === to) return this.#dispatch(onEvent)
    const isData =
      bytes[from] === 100 && bytes[from + 1] === 97 && bytes[from + 2] === 116 && bytes[from + 3] === 97 &&
      (to === from + 4 || (to > from + 4 && bytes[from + 4] === COLON))
    const colon = isData ? Math.min(from + 4, to) : indexIn(bytes, COLON, from, to)
    let value = Math.min(colon + 1, to)
    if (value < to && bytes[value] === SPACE) value++
    if (this.#onField !== undefined) this.#onField(text(bytes, from, colon), bytes.subarray(value, to))
    if (isData) this.#addData(bytes, value, to)
    else if (colon === from) {
      const comment = text(bytes, value, to)
      this.#comment = this.#comment === '' ? comment : `${this.#comment}\n${comment}`
    } else if (isEvent(bytes, from, colon)) this.#event = this.#eventName(bytes, value, to)
  }

  #addData(bytes: Uint8Array, from: number, to: number): void {
    if (!this.#hasData) {
      this.#hasData = true
      this.#source = bytes
      this.#start = from
      this.#end = to
      return
    }
    this.#ownData(to - from + 1)
    this.#data[this.#end] = LF
    this.#data.set(bytes.subarray(from, to), this.#end + 1)
    this.#end += to - from + 1
  }

  /** Copies the open block's data out of a view that will not last, with room for `more` bytes. */
  #ownData(more: number): void {
    const length = this.#end - this.#start
    const held = this.#source.subarray(this.#start, this.#end)
    if (this.#data.length < length + more) this.#data = new Uint8Array(2 * (length + more))
    if (this.#source !== this.#data) this.#data.set(held, 0)
    this.#source = this.#data
    this.#start = 0
    this.#end = length
  }

  #keepLine(view: Uint8Array, from: number, to: number): void {
    const length = this.#lineLength + to - from
    if (this.#line.length < length) {
      const larger = new Uint8Array(Math.max(2 * length, 512))
      larger.set(this.#line.subarray(0, this.#lineLength))
      this.#line = larger
    }
    this.#line.set(view.subarray(from, to), this.#lineLength)
    this.#lineLength = length
  }

  #dispatch(onEvent: SseListener): void {
    if (!this.#hasData && this.#event === '' && this.#comment === '') return
    const data = this.#hasData ? this.#source.subarray(this.#start, this.#end) : NONE
    const event = this.#event
    const comment = this.#comment
    this.#hasData = false
    this.#event = this.#comment = ''
    onEvent(event, data, comment)
  }

  /** Names repeat from event to event: the last one is not decoded again. */
  #eventName(bytes: Uint8Array, from: number, to: number): string {
    const known = this.#eventBytes
    let same = known.length === to - from
    for (let i = 0; same && i < known.length; i++) same = known[i] === bytes[from + i]
    if (!same) {
      this.#eventBytes = bytes.slice(from, to)
      this.#eventText = text(bytes, from, to)
    }
    return this.#eventText
  }
}

function isEvent(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from === 5 && bytes[from] === 101 && bytes[from + 1] === 118 && bytes[from + 2] === 101 && bytes[from + 3] === 110 && bytes[from + 4] === 116
}

function indexIn(bytes: Uint8Array, byte: number, from: number, to: number): number {
  for (let i = from; i < to; i++) if (bytes[i] === byte) return i
  return to
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
function text(bytes: Uint8Array, from: number, to: number): string {
  return from === to ? '' : decoder.decode(bytes.subarray(from, to))
}
