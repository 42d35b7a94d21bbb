import { closeSync, openSync, writeSync } from 'node:fs'
import { AiperfError, FACTS, type FactName } from '@aiperf/core'
import { AsyncByteQueue, makeData, RecordBatch, RecordBatchStreamWriter, Struct, Utf8, type Data } from 'apache-arrow'
import type { FactBatch } from './batch.js'
import { journalSchema } from './schema.js'

/** Hands what the Arrow writer produces to the file at once: after `write` returns, a kill loses nothing of it. */
class FileSink extends AsyncByteQueue {
  readonly #file: number
  constructor(file: number) {
    super()
    this.#file = file
  }
  override write(chunk: ArrayBufferView | Uint8Array): void {
    const bytes = chunk as Uint8Array
    for (let from = 0; from < bytes.byteLength; ) from += writeSync(this.#file, bytes, from)
  }
}

/** Appends batches of facts to an Arrow IPC stream. One cut anywhere reads back every whole batch. */
export class JournalWriter {
  readonly #path: string
  readonly #file: number
  readonly #schema = journalSchema()
  readonly #writer = new RecordBatchStreamWriter()

  constructor(path: string) {
    this.#path = path
    this.#file = openSync(path, 'w')
    this.#writer.reset(new FileSink(this.#file) as never, this.#schema)
  }

  append(batch: FactBatch): void {
    const rows = batch.rows
    if (rows === 0) return
    const names = Object.keys(FACTS) as FactName[]
    const children: Data[] = names.map((name, i) =>
      makeData({ type: this.#schema.fields[i]!.type as never, length: rows, data: batch.columns[name].subarray(0, rows) as never }),
    )
    const lists = [batch.tokenNs, batch.tokenCounts] as const
    lists.forEach(({ offsets, values }, k) => {
      const type = this.#schema.fields[names.length + k]!.type
      const child = makeData({ type: type.children[0]!.type as never, length: values.length, data: values as never })
      children.push(makeData({ type: type as never, length: rows, valueOffsets: offsets, child } as never))
    })
    children.push(texts(rows, (row) => batch.finishReason(row)), texts(rows, (row) => json(batch.error(row))), texts(rows, (row) => json(batch.fields(row))))
    try {
      this.#writer.write(new RecordBatch(this.#schema, makeData({ type: new Struct(this.#schema.fields), length: rows, children })))
    } catch (cause) {
      throw new AiperfError('E_DISK', `writing the journal ${this.#path} failed: ${(cause as Error).message}`, {
        hint: 'Free some space on that disk, or choose another place with --artifact-dir. What was written before can be exported with "aiperf export".',
        cause,
      })
    }
  }

  close(): void {
    this.#writer.finish()
    closeSync(this.#file)
  }
}

/** A column of texts; an empty one is none. */
function texts(rows: number, of: (row: number) => string | undefined): Data {
  const valueOffsets = new Int32Array(rows + 1)
  const nullBitmap = new Uint8Array(Math.ceil(rows / 8))
  const parts: string[] = []
  for (let row = 0; row < rows; row++) {
    const text = of(row)
    valueOffsets[row + 1] = valueOffsets[row]!
    if (text === undefined || text === '') continue
    parts.push(text)
    valueOffsets[row + 1]! += Buffer.byteLength(text)
    nullBitmap[row >> 3]! |= 1 << (row & 7)
  }
  return makeData({ type: new Utf8(), length: rows, nullCount: rows - parts.length, nullBitmap, valueOffsets, data: Buffer.from(parts.join('')) })
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}
