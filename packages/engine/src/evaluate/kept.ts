import type { FactBatch } from '../journal/batch.js'
import type { BatchValues, RowValues } from './row-values.js'

/** A batch with its values, as they were when it was evaluated. */
export interface KeptBatch {
  readonly batch: FactBatch
  readonly values: Pick<RowValues, 'value'>
}

/**
 * What was read and computed for the results, for files that show the records one by one: a run of usual size is read once.
 * One that takes more than `bytes` is let go of, and read again.
 */
export class Kept {
  #batches: KeptBatch[] | undefined
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
    this.#batches = bytes > 0 ? [] : undefined
  }

  /** Takes the loaded batch. */
  add(values: BatchValues): void {
    if (this.#batches === undefined) return
    this.#left -= bytesOf(values.batch) + values.bytes
    if (this.#left < 0) this.#batches = undefined
    else this.#batches.push({ batch: values.batch, values: values.keep() })
  }

  /** Every batch, in the order in which they came; undefined when they were too large. */
  get batches(): readonly KeptBatch[] | undefined {
    return this.#batches
  }
}

function bytesOf({ columns, tokenNs, tokenCounts }: FactBatch): number {
  return Object.values(columns).reduce((sum, column) => sum + column.byteLength, tokenNs.values.byteLength + tokenCounts.values.byteLength)
}
