import type { LoadReport, Source } from '@aiperf/core'
import { csvRows } from './csvRows.js'
import { documentRows } from './jsonDocument.js'
import type { TableRow } from './tableRow.js'

/** Formats that rows may be written in, by the end of the file name. */
const FORMATS: [RegExp, 'csv' | 'parquet' | 'arrow' | 'json'][] = [
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.parquet$/i, 'parquet'],
  [/\.(arrow|ipc|feather)$/i, 'arrow'],
  [/\.json(\.gz|\.zst)?$/i, 'json'],
]

export const tableFormat = (path: string): 'csv' | 'parquet' | 'arrow' | 'json' | 'lines' => FORMATS.find(([end]) => end.test(path))?.[1] ?? 'lines'

/**
 * The records of a dataset file, or of the config file: JSON lines, a JSON array, CSV, Parquet or Arrow, told apart by
 * the name. What is no record is reported. One record is in memory at a time, but for a JSON array.
 */
export async function* datasetRows(source: Source, report: LoadReport, path = source.path): AsyncGenerator<TableRow> {
  const format = path === undefined || source.records ? 'lines' : tableFormat(path)
  switch (format) {
    case 'csv':
      return yield* csvRows(source, report, path!)
    case 'parquet':
      return yield* (await import('./parquetRows.js')).parquetRows(path!)
    case 'arrow':
      return yield* (await import('./arrowRows.js')).arrowRows(path!)
    case 'json':
      if (await isOneDocument(source, path!)) return yield* documentRows(source, report, path)
  }
  yield* path === undefined || path === source.path ? source.rows() : source.rows(path)
}

/** Whether the first line of a .json file is no whole record, so that the file is one document. */
async function isOneDocument(source: Source, path: string): Promise<boolean> {
  for await (const { text } of source.lines(path)) {
    try {
      const first: unknown = JSON.parse(text)
      return Array.isArray(first)
    } catch {
      return true
    }
  }
  return false
}
