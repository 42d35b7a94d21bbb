import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, RequestError } from '@aiperf/core'
import type { RecordBatch } from 'apache-arrow'
import { columnsOf, type FactBatch, type FactColumns } from './batch.js'

/** Folder of the journal in a run's directory. */
export const JOURNAL = 'journal'

/** What reading met: whole batches, and whether a file was cut. */
export interface JournalState {
  rows: number
  /** Files whose last batch is not whole (the run was killed). */
  cut: string[]
}

/** What reads the journal: some 30 ms of a core to load, which a run does before its end. */
export const loadJournalReader = (): Promise<typeof import('apache-arrow')> => import('apache-arrow')

/**
 * Reads every whole batch of a run's journal, one recorder file after another. Memory holds one batch at a time.
 */
export async function* readJournal(directory: string, state: JournalState = { rows: 0, cut: [] }): AsyncGenerator<FactBatch> {
  const { RecordBatchReader } = await loadJournalReader()
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
  readonly #reasons: Texts
  readonly #errorTexts: Texts
  readonly #fieldTexts: Texts
  readonly #errors = new Map<string, RequestError>()

  constructor(batch: RecordBatch) {
    this.rows = batch.numRows
    this.columns = columnsOf((name) => {
      const child = batch.getChild(name)
      // A journal of an older version lacks newer facts: they have no value.
      return child ? child.data[0]!.values.subarray(0, this.rows) : new Float64Array(this.rows).fill(Number.NaN)
    })
    this.tokenNs = list(batch, 'tokenNs') as FactBatch['tokenNs']
    this.tokenCounts = list(batch, 'tokenCounts') as FactBatch['tokenCounts']
    this.#reasons = new Texts(batch, 'finishReason')
    this.#errorTexts = new Texts(batch, 'error')
    this.#fieldTexts = new Texts(batch, 'fields')
  }
  finishReason(row: number): string {
    return this.#reasons.at(row) ?? ''
  }
  error(row: number): RequestError | undefined {
    const text = this.#errorTexts.at(row)
    if (text === undefined) return undefined
    let error = this.#errors.get(text)
    if (!error) this.#errors.set(text, (error = JSON.parse(text) as RequestError))
    return error
  }
  fields(row: number): JsonObject | undefined {
    const text = this.#fieldTexts.at(row)
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject)
  }
}

/** A column of texts, of which most rows have none, or the same as the row before. */
class Texts {
  readonly #bytes: Buffer
  readonly #offsets: Int32Array
  /** A bit per row that has a text; empty: all have. */
  readonly #present: Uint8Array
  readonly #none: boolean
  #last = ''
  #from = 0
  #to = 0

  constructor(batch: RecordBatch, name: string) {
    const { values, valueOffsets, nullBitmap, nullCount, length } = batch.getChild(name)!.data[0]!
    this.#none = nullCount === length
    this.#bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    this.#offsets = valueOffsets as Int32Array
    this.#present = nullBitmap
  }

  at(row: number): string | undefined {
    if (this.#none || (this.#present.length > 0 && ((this.#present[row >> 3]! >> (row & 7)) & 1) === 0)) return undefined
    const from = this.#offsets[row]!
    const to = this.#offsets[row + 1]!
    if (!this.#sameAsLast(from, to)) {
      this.#last = this.#bytes.toString('utf8', from, to)
      this.#from = from
      this.#to = to
    }
    return this.#last
  }

  #sameAsLast(from: number, to: number): boolean {
    if (to - from !== this.#to - this.#from) return false
    const bytes = this.#bytes
    for (let i = from, k = this.#from; i < to; i++, k++) if (bytes[i] !== bytes[k]) return false
    return true
  }
}

function list(batch: RecordBatch, name: string): { offsets: Int32Array; values: unknown } {
  const data = batch.getChild(name)!.data[0]!
  return { offsets: data.valueOffsets as Int32Array, values: data.children[0]!.values }
}
