/** Stands before each text of a JSON text sequence (RFC 7464). */
const RECORD_SEPARATOR = 0x1e
const LF = 10

/** Cuts a body into lines, whatever its packets; empty ones are left out. */
export class LineParser {
  #open: Buffer[] = []

  /** Takes the next bytes, which are not kept; a line given to `onLine` is. */
  push(view: Uint8Array, onLine: (line: Buffer) => void): void {
    let from = 0
    for (let at = view.indexOf(LF); at >= 0; at = view.indexOf(LF, from)) {
      this.#open.push(Buffer.from(view.subarray(from, at)))
      this.end(onLine)
      from = at + 1
    }
    if (from < view.length) this.#open.push(Buffer.from(view.subarray(from)))
  }

  /** The body has ended: what is left is a line. */
  end(onLine: (line: Buffer) => void): void {
    const whole = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open)
    this.#open = []
    const line = whole[0] === RECORD_SEPARATOR ? whole.subarray(1) : whole
    if (line.length > 1) onLine(line)
  }
}
