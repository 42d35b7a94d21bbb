import type { RunSummary } from '../src/figure/summary.js'
import { shown } from '../src/report/numbers.js'
import { el } from './dom.js'

const ROWS = 100

interface Column {
  title: string
  value(k: number): number | string | null
}

/** Every request of a run, to be sorted and paged through. */
export function requestTable(summary: RunSummary, download: string): HTMLElement {
  const { points, metrics, errors } = summary
  const columns: Column[] = [
    { title: 'Request', value: (k) => points.n[k]! },
    { title: 'Start (s)', value: (k) => points.start[k]! },
    ...metrics.map((m): Column => ({ title: m.title, value: (k) => points.values[m.tag]![k]! })),
    { title: 'In flight at its start', value: (k) => points.inFlight[k]! },
    { title: 'Session', value: (k) => points.session[k]! },
    { title: 'Turn', value: (k) => points.turn[k]! },
    { title: 'Error', value: (k) => errors[points.error[k]!] ?? '' },
    { title: 'Id', value: (k) => points.id[k]! },
  ]
  let order = points.n.map((_, k) => k)
  let sorted = { column: 0, sign: 1 }
  let page = 0
  const body = el('tbody')
  const place = el('span', { 'aria-live': 'polite' })
  const heads = columns.map(({ title }, c) => el('th', { scope: 'col' }, el('button', { type: 'button', click: () => sort(c) }, title)))
  const turn = (by: number): void => {
    page = Math.max(0, Math.min(Math.ceil(order.length / ROWS) - 1, page + by))
    fill()
  }
  const sort = (column: number): void => {
    sorted = { column, sign: sorted.column === column ? -sorted.sign : -1 }
    const of = columns[column]!.value
    const key = (k: number): number | string => of(k) ?? -Infinity
    order = order.toSorted((a, b) => {
      const [x, y] = [key(a), key(b)]
      return sorted.sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)))
    })
    page = 0
    heads.forEach((head, c) => (c === column ? head.setAttribute('aria-sort', sorted.sign > 0 ? 'ascending' : 'descending') : head.removeAttribute('aria-sort')))
    fill()
  }
  const fill = (): void => {
    const from = page * ROWS
    const rows = order.slice(from, from + ROWS)
    body.replaceChildren(...rows.map((k) => el('tr', {}, ...columns.map(({ value }, c) => {
      const v = value(k)
      const numeric = typeof v === 'number' || v === null
      return el(c === 0 ? 'th' : 'td', { ...(c === 0 ? { scope: 'row' } : {}), class: numeric ? 'number' : columns[c]!.title === 'Id' ? 'id' : '', ...(typeof v === 'number' ? { 'data-value': v } : {}) }, numeric ? shown(v ?? undefined) : v)
    }))))
    place.textContent = order.length === 0 ? 'No request' : `${(from + 1).toLocaleString('en-US')} to ${(from + rows.length).toLocaleString('en-US')} of ${order.length.toLocaleString('en-US')}`
  }
  fill()
  return el('div', {},
    el('div', { class: 'toolbar' }, el('button', { type: 'button', click: () => turn(-1) }, 'Previous'), place, el('button', { type: 'button', click: () => turn(1) }, 'Next'), el('a', { href: download, download: true }, 'All as CSV')),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Requests, table' }, el('table', { class: 'sortable', id: 'requests-table' }, el('caption', { class: 'hidden' }, 'Requests'), el('thead', {}, el('tr', {}, ...heads)), body)),
  )
}
