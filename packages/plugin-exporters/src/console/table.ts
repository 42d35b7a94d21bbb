import { padEnd, padStart, textWidth, wrap } from './text.js'
import type { Style } from './style.js'

export interface Column {
  header: string
  align: 'left' | 'right'
  /** May be broken over several lines, down to this width. */
  shrinkTo?: number
  /** Left out when the table is too wide; the highest number goes first. */
  dropOrder?: number
}

export interface Table {
  title: string
  columns: readonly Column[]
  /** Cells as plain text; `paint` colours them. */
  rows: readonly (readonly string[])[]
  paint?(text: string, row: number, column: number): string
}

/** A table with a heavy head, no wider than `width` where its columns allow that. Empty text without rows. */
export function renderTable(table: Table, width: number, style: Style): string {
  if (table.rows.length === 0) return ''
  const { kept, widths } = fit(table, width)
  const line = (left: string, mid: string, right: string, bar: string) => style.dim(left + widths.map((w) => bar.repeat(w + 2)).join(mid) + right)
  const total = widths.reduce((sum, w) => sum + w + 3, 1)
  const indent = Math.max(0, Math.floor((total - textWidth(table.title)) / 2))
  const head = kept.map((c, i) => style.bold(aligned(table.columns[c]!.header, widths[i]!, table.columns[c]!.align)))
  const lines = [
    ' '.repeat(indent) + style.bold(table.title),
    line('┏', '┳', '┓', '━'),
    framed(head, style.dim('┃')),
    line('┡', '╇', '┩', '━'),
    ...table.rows.flatMap((row, r) => rowLines(table, row, r, kept, widths, style.dim('│'))),
    line('└', '┴', '┘', '─'),
  ]
  return lines.map((text) => `${text}\n`).join('')
}

function rowLines(table: Table, row: readonly string[], r: number, kept: readonly number[], widths: readonly number[], bar: string): string[] {
  const cells = kept.map((c, i) => (table.columns[c]!.shrinkTo === undefined ? [row[c] ?? ''] : wrap(row[c] ?? '', widths[i]!)))
  const height = Math.max(...cells.map((cell) => cell.length))
  return Array.from({ length: height }, (_, l) => {
    const parts = kept.map((c, i) => {
      const text = aligned(cells[i]![l] ?? '', widths[i]!, table.columns[c]!.align)
      return table.paint === undefined ? text : table.paint(text, r, c)
    })
    return framed(parts, bar)
  })
}

function framed(parts: readonly string[], bar: string): string {
  return `${bar} ${parts.join(` ${bar} `)} ${bar}`
}

/** Whether the table fits without breaking a cell or leaving a column out. */
export function fits(table: Table, width: number): boolean {
  return naturalWidths(table).reduce((sum, w) => sum + w + 3, 1) <= width
}

function naturalWidths(table: Table): number[] {
  return table.columns.map((column, c) => Math.max(textWidth(column.header), ...table.rows.map((row) => textWidth(row[c] ?? ''))))
}

function fit(table: Table, width: number): { kept: number[]; widths: number[] } {
  let kept = table.columns.map((_, i) => i)
  const natural = naturalWidths(table)
  for (;;) {
    const widths = kept.map((c) => natural[c]!)
    let excess = widths.reduce((sum, w) => sum + w + 3, 1) - width
    const widestFirst = [...kept.entries()].sort(([, a], [, b]) => natural[b]! - natural[a]!)
    for (const [i, c] of widestFirst) {
      const least = table.columns[c]!.shrinkTo
      if (excess <= 0 || least === undefined) continue
      const less = Math.min(excess, Math.max(0, widths[i]! - least))
      widths[i] = widths[i]! - less
      excess -= less
    }
    const droppable = kept.filter((c) => table.columns[c]!.dropOrder !== undefined)
    if (excess <= 0 || droppable.length === 0) return { kept, widths }
    const next = droppable.reduce((a, b) => (table.columns[b]!.dropOrder! > table.columns[a]!.dropOrder! ? b : a))
    kept = kept.filter((c) => c !== next)
  }
}

function aligned(text: string, width: number, align: 'left' | 'right'): string {
  return align === 'left' ? padEnd(text, width) : padStart(text, width)
}
