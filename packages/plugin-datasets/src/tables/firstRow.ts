import type { Head, Json } from '@aiperf/core'
import { csvCells, delimiterOf } from './csvRows.js'
import { tableFormat } from './datasetRows.js'

/** The first record of a file for detection: as JSON has it, also of a CSV file. */
export function firstRow(head: Head): Json | undefined {
  if (head.type !== 'file' || head.first !== undefined || tableFormat(head.name) !== 'csv') return head.type === 'file' ? head.first : undefined
  const [header, record] = Buffer.from(head.bytes).toString('utf8').replace(/^\ufeff/, '').split(/\r?\n/).filter((line) => line.trim() !== '')
  if (header === undefined || record === undefined) return undefined
  try {
    const delimiter = delimiterOf(head.name)
    const cells = csvCells(record, delimiter)
    return Object.fromEntries(csvCells(header, delimiter).flatMap((key, at) => (cells[at] === undefined || cells[at] === '' ? [] : [[key.trim(), plain(cells[at])]])))
  } catch {
    return undefined
  }
}

const plain = (cell: string): Json => (/^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell)
