import type { PhaseInfo } from '@aiperf/core'
import type { FactBatch } from '../journal/batch.js'

/** Counts sessions whose conversation was sent more than once: their prompts may be in a server's cache. */
export class Repeats {
  /** Sessions begun so far by conversation, over all phases. */
  #times = new Uint32Array(1024)
  readonly #begun: Record<PhaseInfo['kind'], number> = { warmup: 0, profiling: 0 }
  #distinct = 0

  add(batch: FactBatch, { rows, count }: { rows: Int32Array; count: number }, kind: PhaseInfo['kind']): void {
    const { conversation, turn } = batch.columns
    for (let i = 0; i < count; i++) {
      const row = rows[i]!
      if (turn[row] !== 0) continue
      const index = conversation[row]!
      if (index >= this.#times.length) {
        const larger = new Uint32Array(Math.max(index + 1, this.#times.length * 2))
        larger.set(this.#times)
        this.#times = larger
      }
      if (this.#times[index]!++ === 0) this.#distinct++
      this.#begun[kind]++
    }
  }

  /** Sessions begun in profiling, and how many of them at least were repeats of an earlier one. */
  counts(): { first: number; repeated: number } {
    const { warmup, profiling } = this.#begun
    return { first: profiling, repeated: Math.min(profiling, warmup + profiling - this.#distinct) }
  }
}
