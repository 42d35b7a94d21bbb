const END = '\n'

/** Rows of a CSV file; an empty row is an empty line. Cells with a comma, a quote or a line break are quoted (RFC 4180). */
export const csvBlock = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',') + END).join('')

/** A number with a fixed count of decimals; not finite: empty. */
export const fixed = (value: number, decimals = 2): string => (Number.isFinite(value) ? value.toFixed(decimals) : '')
