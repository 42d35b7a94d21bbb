/** Line end of every CSV file, as spreadsheets and RFC 4180 have it. */
export const CSV_END = '\r\n'

/** One CSV line without its end: cells with a comma, a quote or a line break are quoted (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}
