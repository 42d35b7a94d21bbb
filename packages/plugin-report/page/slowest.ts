import type { Range, RunSource } from '../src/figure/run-source.js'
import { severalTurns, type PageMetric } from '../src/figure/summary.js'
import { shown } from '../src/report/numbers.js'
import { byId, el } from './dom.js'

const ROWS = 15

/** Fills the table of the requests with the largest values within the chosen time. */
export function slowest(source: RunSource, { tag, title }: PageMetric, range: Range | undefined): void {
  const table = byId('slowest-table') as HTMLTableElement | null
  if (!table) return
  const { points, metrics } = source.summary
  const values = points.values[tag]!
  const turns = severalTurns(points)
  const chosen = source.points(range).filter((k) => values[k] !== null).sort((a, b) => values[b]! - values[a]!).slice(0, ROWS)
  table.caption!.textContent = `Requests with the largest ${title.replace(/ \([^)]*\)$/, '').toLowerCase()}${range ? ' within the chosen time' : ''}`
  table.tBodies[0]!.replaceChildren(...chosen.map((k) => el('tr', {},
    el('th', { scope: 'row' }, points.n[k]!.toLocaleString('en-US')),
    number(points.start[k]!),
    ...metrics.map((m) => number(points.values[m.tag]![k] ?? undefined)),
    number(points.inFlight[k]!),
    number(points.session[k]!),
    turns && number(points.turn[k]!),
    el('td', { class: 'id' }, points.id[k]!),
  )))
}

const number = (value: number | undefined): HTMLTableCellElement => el('td', { class: 'number', ...(value === undefined ? {} : { 'data-value': value }) }, shown(value))
