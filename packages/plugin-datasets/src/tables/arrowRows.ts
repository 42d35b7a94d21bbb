import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { plainValue, type TableRow } from './tableRow.js'

/** Rows of an Arrow file or stream, a record batch at a time. */
export async function* arrowRows(path: string): AsyncGenerator<TableRow> {
  const { RecordBatchReader } = await import('apache-arrow')
  try {
    const reader = await RecordBatchReader.from(createReadStream(path))
    let line = 0
    for await (const batch of reader) {
      const names = batch.schema.fields.map((field) => field.name)
      for (let at = 0; at < batch.numRows; at++)
        yield { file: basename(path), line: ++line, row: Object.fromEntries(names.map((name, column) => [name, plainValue(batch.getChildAt(column)?.get(at))])) }
    }
  } catch (error) {
    throw new AiperfError('E_INPUT_FILE', `${basename(path)} cannot be read as Arrow: ${(error as Error).message}`, { cause: error })
  }
}
