import type { LoadReport, Source } from '@aiperf/core'
import type { TableRow } from './tableRow.js'

/** Lines that a quoted cell may go on over. */
const CELL_LINES = 10_000

/** The cells of one record. */
async function csvCells(record: string, delimiter: string): Promise<string[]> {
  if (!record.includes('"')) return record.split(delimiter)
  const { parse } = await import('csv-parse/sync')
  return (parse(record, { delimiter, relaxColumnCount: true }) as string[][])[0] ?? []
}

export const delimiterOf = (name: string): string => (/\.tsv(\.gz|\.zst)?$/i.test(name) ? '\t' : ',')

/** Records of a CSV or TSV file with a header line; the cells are texts. `line` is the record's first physical line. */
export async function* csvRows(source: Source, report: LoadReport, path: string): AsyncGenerator<TableRow> {
  const delimiter = delimiterOf(path)
  let header: string[] | undefined
  let held: { text: string; line: number; lines: number } | undefined
  let file = path
  for await (const next of source.lines(path)) {
    file = next.file
    held = held ? { text: `${held.text}\n${next.text}`, line: held.line, lines: held.lines + 1 } : { text: next.text, line: next.line, lines: 1 }
    if (openQuote(held.text) && held.lines < CELL_LINES) continue
    const { text, line } = held
    held = undefined
    let cells: string[]
    try {
      cells = await csvCells(text, delimiter)
    } catch (error) {
      report.bad({ file, line }, `expected CSV, got a record that cannot be read (${(error as Error).message})`)
      continue
    }
    if (!header) header = cells.map((cell) => cell.trim())
    else if (cells.length !== header.length) report.bad({ file, line }, `expected ${header.length} cells as in the header, got ${cells.length}`)
    else yield { file, line, cells: true, row: Object.fromEntries(header.map((key, at) => [key, cells[at]!])) }
  }
  if (held) report.bad({ file, line: held.line }, 'a quoted cell begins here and does not end')
}

/** Whether a quoted cell is still open at the end of the text. */
function openQuote(text: string): boolean {
  let quotes = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes++
  return quotes % 2 === 1
}
