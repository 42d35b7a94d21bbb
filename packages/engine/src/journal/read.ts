import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FACTS, type FactName, type JsonObject, type RequestError } from '@aiperf/core'
import type { RecordBatch } from 'apache-arrow'
import type { FactBatch, FactColumns } from './batch.js'

/** Folder of the journal in a run's directory. */
export const JOURNAL = 'journal'

/** What reading met: whole batches, and whether a file was cut. */
export interface JournalState {
  rows: number
  /** Files whose last batch is not whole (the run was killed). */
  cut: string[]
}

/**
 * Reads every whole batch of a run's journal, one recorder file after another. Memory holds one batch at a time.
 */
export async function* readJournal(directory: string, state: JournalState = { rows: 0, cut: [] }): AsyncGenerator<FactBatch> {
  const { RecordBatchReader } = await import('apache-arrow')
  const folder = join(directory, JOURNAL)
  const files = readdirSync(folder).filter((name) => /^records-\d+\.arrows$/.test(name)).sort((a, b) => number(a) - number(b))
  for (const name of files) {
    const stream = createReadStream(join(folder, name), { highWaterMark: 1 << 20 })
    try {
      const reader = await RecordBatchReader.from(stream)
      await reader.open()
      for await (const batch of reader) {
        state.rows += batch.numRows
        yield new ArrowBatch(batch)
      }
    } catch {
      // A cut file ends in the middle of a batch: everything before it has been yielded.
      state.cut.push(name)
    } finally {
      stream.destroy()
    }
  }
}

const number = (name: string): number => Number(/\d+/.exec(name)![0])

class ArrowBatch implements FactBatch {
  readonly rows: number
  readonly columns: FactColumns
  readonly tokenNs: FactBatch['tokenNs']
  readonly tokenCounts: FactBatch['tokenCounts']
  readonly #batch: RecordBatch
  readonly #errors = new Map<string, RequestError>()

  constructor(batch: RecordBatch) {
    this.#batch = batch
    this.rows = batch.numRows
    const columns: Record<string, unknown> = {}
    for (const name of Object.keys(FACTS) as FactName[]) {
      const child = batch.getChild(name)
      // A journal of an older version lacks newer facts: they have no value.
      columns[name] = child ? child.data[0]!.values.subarray(0, this.rows) : new Float64Array(this.rows).fill(Number.NaN)
    }
    this.columns = columns as FactColumns
    this.tokenNs = list(batch, 'tokenNs') as FactBatch['tokenNs']
    this.tokenCounts = list(batch, 'tokenCounts') as FactBatch['tokenCounts']
  }
  finishReason(row: number): string {
    return (this.#batch.getChild('finishReason')!.get(row) as string | null) ?? ''
  }
  error(row: number): RequestError | undefined {
    const text = this.#batch.getChild('error')!.get(row) as string | null
    if (text === null) return undefined
    let error = this.#errors.get(text)
    if (!error) this.#errors.set(text, (error = JSON.parse(text) as RequestError))
    return error
  }
  fields(row: number): JsonObject | undefined {
    const text = this.#batch.getChild('fields')!.get(row) as string | null
    return text === null ? undefined : (JSON.parse(text) as JsonObject)
  }
}

function list(batch: RecordBatch, name: string): { offsets: Int32Array; values: unknown } {
  const data = batch.getChild(name)!.data[0]!
  return { offsets: data.valueOffsets as Int32Array, values: data.children[0]!.values }
}
