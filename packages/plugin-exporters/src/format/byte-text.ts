const QUOTE = 34
const BACKSLASH = 92
const POINT = 46
const MINUS = 45
const ZERO = 48

/**
 * Text assembled as bytes: numbers are written digit by digit, so that a line with hundreds of them makes no strings.
 * What is written is ASCII and valid JSON; other characters go through `string`.
 */
export class ByteText {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** What was written; the text is empty afterwards. The bytes are the caller's. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafe(this.#bytes.length)
    this.#length = 0
    return taken
  }

  byte(code: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1)
    this.#bytes[this.#length++] = code
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** ASCII text as it is; meant for short ones, for which a loop is cheaper than a call into native code. */
  ascii(text: string): void {
    this.#reserve(text.length)
    const bytes = this.#bytes
    const at = this.#length
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
    this.#length = at + text.length
  }

  /** A JSON string, quotes included. */
  string(text: string): void {
    this.#reserve(text.length + 2)
    const start = this.#length
    let at = start
    const bytes = this.#bytes
    bytes[at++] = QUOTE
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) return this.#escaped(text)
      bytes[at++] = code
    }
    bytes[at++] = QUOTE
    this.#length = at
  }

  #escaped(text: string): void {
    this.json(JSON.stringify(text))
  }

  /** Text of any characters as it is: JSON made elsewhere. */
  json(json: string): void {
    this.#reserve(json.length * 3)
    this.#length += this.#bytes.write(json, this.#length, 'utf8')
  }

  /** A finite number in the shortest form that reads back as the same double. */
  number(value: number): void {
    if (Number.isInteger(value) && value < 9e15 && value > -9e15) return this.integer(value)
    // Times are whole ns shown in ms or s: at most 15 digits, so the decimal below is the shortest one.
    const millionths = Math.round(value * 1e6)
    if (millionths / 1e6 !== value || millionths >= 1e15 || millionths <= -1e15) return this.ascii(String(value))
    let size = millionths
    if (size < 0) {
      this.byte(MINUS)
      size = -size
    }
    const whole = Math.floor(size / 1e6)
    this.#digits(whole)
    this.byte(POINT)
    let fraction = (size - whole * 1e6) | 0
    let places = 6
    while (fraction % 10 === 0) {
      fraction = (fraction / 10) | 0
      places--
    }
    this.#padded(fraction, places)
  }

  /** A whole number below 2^53. */
  integer(value: number): void {
    if (value < 0) {
      this.byte(MINUS)
      value = -value
    }
    this.#digits(value)
  }

  /** A whole number with zeros in front up to `places` digits. */
  padded(value: number, places: number): void {
    this.#padded(value, places)
  }

  #digits(value: number): void {
    if (value >= 1e9) {
      const high = Math.floor(value / 1e9)
      this.#digits(high)
      return this.#padded(value - high * 1e9, 9)
    }
    let places = 1
    for (let limit = 10; value >= limit; limit *= 10) places++
    this.#padded(value, places)
  }

  #padded(value: number, places: number): void {
    this.#reserve(places)
    const bytes = this.#bytes
    let rest = value | 0
    for (let at = this.#length + places - 1; at >= this.#length; at--) {
      const tenth = (rest / 10) | 0
      bytes[at] = ZERO + rest - tenth * 10
      rest = tenth
    }
    this.#length += places
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
