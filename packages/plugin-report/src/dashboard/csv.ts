import type { RequestTable } from '@aiperf/core'

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The requests of a run as CSV, a line each, in order of start. */
export function* requestsCsv(table: RequestTable, tags: readonly string[]): Generator<string> {
  const known = tags.filter((tag) => table.values(tag) !== undefined)
  const columns = known.map((tag) => table.values(tag)!)
  yield `${['request', 'id', 'session', 'turn', 'start_s', 'end_s', 'succeeded', 'error', ...known].join(',')}\r\n`
  for (let i = 0; i < table.count; i++) {
    const cells = [i, quoted(table.id(i)), table.session[i]!, table.turn[i]!, table.startSeconds[i]!.toFixed(6), table.endSeconds[i]!.toFixed(6), table.succeeded[i] ? 'true' : 'false', quoted(table.error(i)), ...columns.map((column) => (Number.isNaN(column[i]!) ? '' : column[i]!))]
    yield `${cells.join(',')}\r\n`
  }
}
