const EVERY_MS = 100

/** One line that says how far long work has come; only where somebody looks. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  #shownAt = -Infinity
  #visible = false

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  show(what: string, done: number, total?: number): void {
    const now = performance.now()
    if (!this.#stream.isTTY || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    this.#visible = true
    this.#stream.write(`\r\u001b[K${what}: ${done.toLocaleString('en-US')}${total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`}`)
  }

  clear(): void {
    if (this.#visible) this.#stream.write('\r\u001b[K')
    this.#visible = false
  }
}
