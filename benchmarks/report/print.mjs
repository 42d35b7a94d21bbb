/** A figure with as many digits as it deserves. */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en-US')
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : size >= 0.1 || size === 0 ? value.toFixed(2) : value.toPrecision(2)
}

/** Rows of a result as cells: what, median, spread. */
export function cells(rows) {
  return rows.map(({ load, client, what, unit, median, min, max, limit }) => [
    load ?? '', client ?? '', what, `${figure(median)}${unit ? ` ${unit}` : ''}`, min === max ? '' : `${figure(min)} – ${figure(max)}`, limit ?? '',
  ])
}

export const HEADER = ['load', 'client', 'what', 'median', 'range', 'to reach']

/** Prints a result as a table. */
export function print({ title, machine, rows, notes = [] }) {
  const all = [HEADER, ...cells(rows)]
  const used = HEADER.map((_, column) => all.slice(1).some((row) => row[column] !== ''))
  const widths = HEADER.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  console.log(`\n${title} (Node ${machine.node}, ${machine.cores} × ${machine.cpu}${machine.pinned ? ', pinned' : ''}, load ${machine.load})\n`)
  for (const row of all) console.log(`  ${row.map((cell, i) => (used[i] ? cell.padEnd(widths[i] + 2) : '')).join('').trimEnd()}`)
  for (const note of notes) console.log(`\n  ${note}`)
}
