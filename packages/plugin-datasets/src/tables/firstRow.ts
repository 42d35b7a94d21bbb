import type { Head, Json } from '@aiperf/core'
import { delimiterOf } from './csvRows.js'
import { tableFormat } from './datasetRows.js'

/** The first record of a file for detection: as JSON has it, also of a CSV file. */
export function firstRow(head: Head): Json | undefined {
  if (head.type !== 'file' || head.first !== undefined || tableFormat(head.name) !== 'csv') return head.type === 'file' ? head.first : undefined
  const [header, record] = Buffer.from(head.bytes).toString('utf8').replace(/^\ufeff/, '').split(/\r?\n/).filter((line) => line.trim() !== '')
  if (header === undefined || record === undefined) return undefined
  const delimiter = delimiterOf(head.name)
  const cells = roughCells(record, delimiter)
  return Object.fromEntries(roughCells(header, delimiter).flatMap((key, at) => (cells[at] ? [[key.trim(), plain(cells[at])]] : [])))
}

/** Cells near enough for a guess: delimiters inside quotes are none. */
function roughCells(record: string, delimiter: string): string[] {
  const cells: string[] = []
  let open = ''
  for (const [at, part] of record.split('"').entries()) {
    if (at % 2 === 1) open += part
    else {
      const pieces = part.split(delimiter)
      const last = pieces.pop()!
      for (const piece of pieces) {
        cells.push(open + piece)
        open = ''
      }
      open += last
    }
  }
  return [...cells, open]
}

const plain = (cell: string): Json => (/^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell)
