import { requestTable } from '../src/runs/request-columns.js'
import { severalTurns, summarise, type RunSummary } from '../src/figure/summary.js'
import { choice, el } from './dom.js'

/** Which requests of a run are looked at. */
export interface RequestFilter {
  outcome: 'all' | 'succeeded' | 'failed'
  turn: 'all' | 'first' | 'later'
  metric: string
  min: number | undefined
  max: number | undefined
}

export const NO_FILTER: RequestFilter = { outcome: 'all', turn: 'all', metric: '', min: undefined, max: undefined }

/** Indexes of the points that a filter lets through. */
export function passing({ points }: RunSummary, { outcome, turn, metric, min, max }: RequestFilter): number[] {
  const values = points.values[metric]
  return points.n.map((_, k) => k).filter((k) => {
    if (outcome !== 'all' && (points.error[k] === 0) !== (outcome === 'succeeded')) return false
    if (turn !== 'all' && (points.turn[k] === 0) !== (turn === 'first')) return false
    if (!values || (min === undefined && max === undefined)) return true
    const value = values[k]
    return value !== null && value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity)
  })
}

/** A run of the requests that pass alone, with curves of its own. The summary must hold every request. */
export function filtered(summary: RunSummary, filter: RequestFilter): RunSummary {
  const chosen = passing(summary, filter)
  const { points, errors } = summary
  if (chosen.length === points.n.length) return summary
  const column = (values: readonly (number | null)[], scale = 1): Float64Array => Float64Array.from(chosen, (k) => (values[k] === null ? Number.NaN : values[k]! * scale))
  const table = requestTable({
    startNs: column(points.start, 1e9), endNs: column(points.end, 1e9), succeeded: Float64Array.from(chosen, (k) => (points.error[k] === 0 ? 1 : 0)),
    error: column(points.error), errors, session: column(points.session), turn: column(points.turn), id: (row) => points.id[chosen[row]!]!,
    values: new Map(summary.metrics.map(({ tag }) => [tag, column(points.values[tag]!)])),
  }, 0)
  const made = summarise(table, summary.metrics, Infinity)
  return { ...made, end: summary.end, points: { ...made.points, n: chosen.map((k) => points.n[k]!) } }
}

/** The controls of a filter. */
export function filterBar(summary: RunSummary, filter: RequestFilter, changed: (filter: RequestFilter) => void): HTMLElement {
  const set = (part: Partial<RequestFilter>): void => changed({ ...filter, ...part })
  const bound = (label: string, key: 'min' | 'max'): HTMLInputElement => {
    const input = el('input', { type: 'number', step: 'any', 'aria-label': label, value: filter[key] ?? '', change: () => set({ [key]: input.value === '' ? undefined : Number(input.value) }) })
    return input
  }
  const turns = severalTurns(summary.points)
  const passed = passing(summary, filter).length
  return el('div', { class: 'toolbar filterbar' },
    choice('Requests', [['all', 'all'], ['succeeded', 'succeeded'], ['failed', 'failed']].map(([value, text]) => ({ value: value!, text: text! })), filter.outcome, (outcome) => set({ outcome: outcome as RequestFilter['outcome'] })),
    turns && choice('Turn', [['all', 'all'], ['first', 'first of a session'], ['later', 'later ones']].map(([value, text]) => ({ value: value!, text: text! })), filter.turn, (turn) => set({ turn: turn as RequestFilter['turn'] })),
    el('span', { class: 'choice' }, choice('Only', [{ value: '', text: 'any value' }, ...summary.metrics.map((m) => ({ value: m.tag, text: m.title }))], filter.metric, (metric) => set({ metric, min: undefined, max: undefined })), ...(filter.metric === '' ? [] : [bound('At least', 'min'), el('span', {}, 'to'), bound('At most', 'max')])),
    el('span', { class: 'choice', 'aria-live': 'polite', id: 'filter-count' }, passed === summary.points.n.length ? `${passed.toLocaleString('en-US')} requests` : `${passed.toLocaleString('en-US')} of ${summary.points.n.length.toLocaleString('en-US')} requests`),
  )
}
