import { writeSync } from 'node:fs'
import type { WriteStream } from 'node:tty'

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J'
/** Colours off, line wrap and cursor on, and the screen that was there before. */
const LEAVE = '\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l'
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'

/** A full-screen terminal of which only the lines that changed are written again. */
export class Screen {
  #shown: string[] = []
  #inside = false

  constructor(readonly stream: WriteStream) {}

  enter(): void {
    if (this.#inside) return
    this.#inside = true
    this.#shown = []
    this.stream.write(ENTER)
  }

  /** Everything is written again the next time: the terminal was resized, or something else wrote on it. */
  invalidate(): void {
    this.#shown = []
    if (this.#inside) this.stream.write('\x1b[2J')
  }

  draw(lines: readonly string[]): void {
    // A terminal that does not read (a slow line, a stopped one) misses frames; they must not pile up.
    if (!this.#inside || this.stream.writableNeedDrain) return
    let out = ''
    lines.forEach((line, i) => {
      if (line !== this.#shown[i]) out += `\x1b[${i + 1};1H${line}`
    })
    this.#shown = [...lines]
    if (out) this.stream.write(BEGIN + out + END)
  }

  leave(): void {
    if (!this.#inside) return
    this.#inside = false
    this.stream.write(LEAVE)
  }

  /** As `leave`, when the process is about to end and nothing queued would be written any more. */
  leaveNow(): void {
    if (!this.#inside) return
    this.#inside = false
    try {
      writeSync((this.stream as { fd?: number }).fd ?? 2, LEAVE)
    } catch {
      // The terminal is gone; there is nothing to restore.
    }
  }
}
