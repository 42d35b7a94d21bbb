import { el } from './dom.js'

/** Makes the heads of a table's columns buttons that sort by them. */
export function sortable(table: HTMLTableElement): void {
  const heads = [...table.tHead!.rows[0]!.cells]
  heads.forEach((head, column) => {
    const button = el('button', { type: 'button' }, ...[...head.childNodes].map((node) => node.cloneNode(true)))
    button.addEventListener('click', () => {
      const descending = head.getAttribute('aria-sort') === 'descending'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', descending ? 'ascending' : 'descending')
      sortRows(table, column, descending ? 1 : -1)
    })
    head.replaceChildren(button)
  })
}

function sortRows(table: HTMLTableElement, column: number, sign: number): void {
  const body = table.tBodies[0]!
  const key = (row: HTMLTableRowElement): number | string | undefined => {
    const cell = row.cells[column]
    const value = cell?.dataset['value']
    return value === undefined ? (cell?.classList.contains('number') ? undefined : (cell?.textContent ?? '')) : Number(value)
  }
  const rows = [...body.rows].map((row) => ({ row, key: key(row) }))
  rows.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return a.key === b.key ? 0 : a.key === undefined ? 1 : -1
    return sign * (typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : String(a.key).localeCompare(String(b.key), 'en', { numeric: true }))
  })
  body.append(...rows.map(({ row }) => row))
}
