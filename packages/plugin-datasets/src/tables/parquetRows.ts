import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { AiperfError } from '@aiperf/core'
import { plainRow, type TableRow } from './tableRow.js'

/** Rows decoded at a time; a row group may hold millions. */
const ROWS = 1024

function openFile(path: string): { byteLength: number; slice(start: number, end?: number): ArrayBuffer; close(): void } {
  const descriptor = openSync(path, 'r')
  const byteLength = fstatSync(descriptor).size
  return {
    byteLength,
    slice(start, end = byteLength) {
      const bytes = new Uint8Array(Math.max(0, end - start))
      readSync(descriptor, bytes, 0, bytes.length, start)
      return bytes.buffer as ArrayBuffer
    },
    close: () => closeSync(descriptor),
  }
}

/** Rows of a Parquet file, a piece of a row group at a time; of `columns` only, when given. */
export async function* parquetRows(path: string, columns?: readonly string[]): AsyncGenerator<TableRow> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([import('hyparquet'), import('hyparquet-compressors')])
  const file = openFile(path)
  try {
    const metadata = await parquetMetadataAsync(file)
    const count = Number(metadata.num_rows)
    const present = metadata.schema.filter((element) => columns?.includes(element.name)).map((element) => element.name)
    for (let start = 0; start < count; start += ROWS) {
      const rows = await parquetReadObjects({
        file, metadata, compressors, rowStart: start, rowEnd: Math.min(count, start + ROWS), useOffsetIndex: true,
        // Bytes stay bytes: hyparquet would read any byte array as text.
        utf8: false,
        ...(columns ? { columns: present } : {}),
      })
      for (const [at, row] of rows.entries()) yield { row: plainRow(row), file: basename(path), line: start + at + 1 }
    }
  } catch (error) {
    if ((error as Error).name === 'AiperfError') throw error
    throw new AiperfError('E_INPUT_FILE', `${basename(path)} cannot be read as Parquet: ${(error as Error).message}`, { cause: error })
  } finally {
    file.close()
  }
}

/** Names of the top-level columns of a Parquet file. */
export async function parquetColumns(path: string): Promise<string[]> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet')
  const file = openFile(path)
  try {
    return parquetSchema(await parquetMetadataAsync(file)).children.map((column) => column.element.name)
  } finally {
    file.close()
  }
}
