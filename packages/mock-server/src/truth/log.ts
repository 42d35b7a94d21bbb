import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import type { ClockAnchor } from '../timing/clock.js'
import { BLOCK_ROWS, TruthBlock } from './block.js'
import type { TruthEntry } from './entry.js'
import { recordOf, truthLine, type TruthRecord } from './record.js'

/** The newest truth records in memory, and all of them in a file where one was asked for. */
export class TruthLog {
  #blocks: TruthBlock[] = []
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
    let block = this.#blocks.at(-1)
    if (!block || block.full) {
      block = new TruthBlock()
      this.#blocks.push(block)
      // One block more than needed, as the newest is hardly ever full.
      if (this.#blocks.length > Math.ceil(this.max / BLOCK_ROWS) + 1) this.#blocks.shift()
    }
    entry.keeper = block
    entry.row = block.add(entry)
  }

  end(entry: TruthEntry): void {
    this.#file?.write(truthLine(recordOf(entry, this.anchor)))
    entry.keeper?.pack(entry.row, entry)
  }

  records(): TruthRecord[] {
    const places = this.#blocks.flatMap((block) => Array.from({ length: block.rows }, (_, row) => ({ block, row })))
    return places.slice(-this.max).map(({ block, row }) => recordOf(block.facts(row), this.anchor))
  }

  reset(): void {
    this.#blocks = []
  }

  /** Writes what is left to the file. Rejects where writing it has failed. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file && !this.#fileError) await new Promise<void>((resolve) => file.end(resolve))
    if (this.#fileError) throw this.#fileError
  }
}
