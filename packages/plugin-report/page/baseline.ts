import type { ComparisonPageData } from '../src/report/page-data.js'
import { byId, choice } from './dom.js'

/** Lets the table of points say how far each is from a chosen one. */
export function startBaseline({ runs }: ComparisonPageData): void {
  const table = byId('points-table') as HTMLTableElement | null
  const place = byId('points-tools')
  if (!table || !place || table.tBodies[0]!.rows.length < 2) return
  const rows = [...table.tBodies[0]!.rows]
  const larger = new Set(runs.flatMap((run) => run.larger))
  const compare = (point: string): void => {
    const base = rows.find((row) => row.dataset['point'] === point)
    for (const row of rows)
      for (const [c, cell] of [...row.cells].entries()) {
        const mark = cell.querySelector<HTMLElement>('.against')
        const [value, other] = [Number(cell.dataset['value']), Number(base?.cells[c]?.dataset['value'])]
        if (!mark) continue
        const change = (100 * (value - other)) / Math.abs(other)
        mark.textContent = !base || row === base || !Number.isFinite(change) ? '' : ` ${change > 0 ? '+' : ''}${Math.abs(change) >= 100 ? Math.round(change) : change.toFixed(1)} %`
        mark.className = `against ${change === 0 ? '' : change > 0 === larger.has(cell.dataset['tag'] ?? '') ? 'better' : 'worse'}`
      }
  }
  place.replaceChildren(choice('Difference from', [{ value: '', text: 'no point' }, ...rows.map((row) => ({ value: row.dataset['point']!, text: row.cells[0]!.textContent! }))], '', compare))
  place.className = 'toolbar'
}
