/** Width of text on this terminal. */
const width = (): number => Math.max(60, Math.min(process.stdout.columns ?? 100, 140))

/** Breaks text into lines that begin `indent` columns in. */
export function wrap(text: string, indent: number, columnsWide: number = width()): string {
  const room = Math.max(20, columnsWide - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((w) => w !== '')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  return lines.map((l) => `${' '.repeat(indent)}${l}\n`).join('')
}

/** Rows with aligned columns; the last one is broken into lines. */
export function columns(rows: readonly (readonly string[])[], indent = 0): string {
  const count = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: count - 1 }, (_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  const start = indent + widths.reduce((sum, w) => sum + w + 2, 0)
  return rows
    .map((row) => {
      const left = ' '.repeat(indent) + widths.map((w, i) => (row[i] ?? '').padEnd(w + 2)).join('')
      const last = wrap(row[count - 1] ?? '', start > width() - 30 ? indent + 4 : start)
      if (start > width() - 30) return `${left.trimEnd()}\n${last}`
      return last === '' ? `${left.trimEnd()}\n` : left + last.slice(start)
    })
    .join('')
}
