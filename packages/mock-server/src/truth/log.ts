import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import type { ClockAnchor } from '../timing/clock.js'
import { truthLine, type TruthEntry, type TruthRecord } from './entry.js'

/** The newest truth records in memory, and all of them in a file where one was asked for. */
export class TruthLog {
  #entries: TruthEntry[] = []
  /** Where the oldest entry stands once the ring is full. */
  #oldest = 0
  #file: WriteStream | undefined
  #fileError: Error | undefined

  constructor(
    readonly max: number,
    readonly anchor: ClockAnchor,
  ) {}

  /** Opens the file for appending; rejects where that fails. */
  async open(path: string): Promise<void> {
    const file = createWriteStream(path, { flags: 'a', highWaterMark: 1 << 20 })
    await once(file, 'open')
    file.on('error', (error) => (this.#fileError = error))
    this.#file = file
  }

  begin(entry: TruthEntry): void {
    if (this.max === 0) return
    if (this.#entries.length < this.max) this.#entries.push(entry)
    else {
      this.#entries[this.#oldest] = entry
      this.#oldest = (this.#oldest + 1) % this.max
    }
  }

  end(entry: TruthEntry): void {
    this.#file?.write(truthLine(entry.record(this.anchor)))
  }

  records(): TruthRecord[] {
    const inOrder = [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)]
    return inOrder.map((entry) => entry.record(this.anchor))
  }

  reset(): void {
    this.#entries = []
    this.#oldest = 0
  }

  /** Writes what is left to the file. Rejects where writing it has failed. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file && !this.#fileError) await new Promise<void>((resolve) => file.end(resolve))
    if (this.#fileError) throw this.#fileError
  }
}
