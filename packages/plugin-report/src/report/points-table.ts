import type { Statistics } from '@aiperf/core'
import { brief, unitText } from '@aiperf/core/numbers'
import { defaultGrouping, estimate, pointsOf, type Point } from '../figure/points.js'
import type { LoadedRun } from '../runs/loaded.js'
import { html, type Markup } from './markup.js'
import { shown } from './numbers.js'
import { verdictName } from './verdict-name.js'

/** Columns of the table of points: what people choose by. */
const COLUMNS: readonly { tag: string; stat: keyof Statistics; title: string }[] = [
  { tag: 'request_throughput', stat: 'avg', title: 'Throughput' },
  { tag: 'output_token_throughput', stat: 'avg', title: 'Output tokens' },
  { tag: 'output_token_throughput_per_user', stat: 'p50', title: 'Per user, p50' },
  { tag: 'time_to_first_token', stat: 'p50', title: 'TTFT p50' },
  { tag: 'time_to_first_token', stat: 'p99', title: 'TTFT p99' },
  { tag: 'inter_token_latency', stat: 'p50', title: 'ITL p50' },
  { tag: 'inter_token_latency', stat: 'p99', title: 'ITL p99' },
  { tag: 'request_latency', stat: 'p50', title: 'Latency p50' },
  { tag: 'request_latency', stat: 'p99', title: 'Latency p99' },
  { tag: 'goodput', stat: 'avg', title: 'Goodput' },
  { tag: 'request_error_rate', stat: 'avg', title: 'Errors' },
]

const WORST = ['none', 'invalid', 'suspect', 'valid']

export const badge = (verdict: string): Markup => html`<span class="badge small ${verdict}">${verdictName(verdict)}</span>`

/** The worst verdict of the runs of a point. */
const verdictOf = (point: Point): string => WORST.find((v) => (point.runs as readonly LoadedRun[]).some((run) => (run.about.verdict?.verdict ?? 'none') === v)) ?? 'none'

/** One row per point, the best of each column marked. Means of several runs carry their intervals. */
export function pointsTable(runs: readonly LoadedRun[]): Markup {
  const points = pointsOf(runs, {})
  const { labels } = defaultGrouping(runs)
  const columns = COLUMNS.filter(({ tag, stat }) => runs.some((run) => run.metrics.get(tag)?.[stat] !== undefined))
  const several = points.some((p) => p.runs.length > 1)
  const rows = points.map((point) => ({ point, cells: columns.map(({ tag, stat }) => estimate(point, { metric: tag, stat }, 0.95)) }))
  const best = columns.map(({ tag }, c) => {
    const values = rows.flatMap(({ cells, point }) => (cells[c] && verdictOf(point) !== 'invalid' ? [cells[c].mean] : []))
    return values.length < 2 ? undefined : runs[0]!.largerIsBetter(tag) ? Math.max(...values) : Math.min(...values)
  })
  const name = (point: Point): string => (point.group === '' || new Set(points.map((p) => p.group)).size === 1 ? named(point, labels) : `${point.group}, ${named(point, labels)}`)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Points, table"><table class="sortable" id="points-table"><caption class="hidden">The points compared</caption>
<thead><tr><th scope="col">Point</th>${several ? html`<th scope="col" class="number">Runs</th>` : ''}<th scope="col">Verdict</th>${columns.map(({ tag, title }) => html`<th scope="col" class="number">${title}<br><span class="unit">${unitText(unitOf(runs, tag))}</span></th>`)}</tr></thead>
<tbody>${rows.map(({ point, cells }) => html`<tr data-point="${point.runs[0]!.point}"><th scope="row">${name(point)}</th>${several ? html`<td class="number" data-value="${point.runs.length}">${point.runs.length}</td>` : ''}<td>${badge(verdictOf(point))}</td>${cells.map((found, c) => {
    const { tag, stat } = columns[c]!
    if (!found) return html`<td class="number absent">–</td>`
    const needed = point.runs.length === 1 ? point.runs[0]!.metrics.get(tag)?.withheld?.[stat] : undefined
    if (needed !== undefined) return html`<td class="number absent" data-value="${found.mean}" title="${`${shown(found.mean)}, of a sample that cannot carry it: ${shown(needed)} values are needed`}">n&lt;${shown(needed)}</td>`
    const half = found.values.length > 1 && found.high !== undefined ? html` <span class="unit spread">± ${brief(Number((found.high - found.mean).toPrecision(2)))}</span>` : ''
    return html`<td class="number" data-tag="${tag}" data-stat="${stat}" data-value="${found.mean}"><span class="${found.mean === best[c] ? 'best' : ''}">${shown(found.mean)}</span>${half}<span class="against"></span></td>`
  })}</tr>`)}</tbody></table></div>`
}

const unitOf = (runs: readonly LoadedRun[], tag: string): string => runs.flatMap((run) => run.metrics.get(tag)?.unit ?? [])[0] ?? ''
const named = (point: Point, labels: readonly string[]): string => (labels.length === 1 && labels[0] !== 'run_name' && labels[0] !== 'model' ? `${labels[0]!.replaceAll('_', ' ')} ${point.label}` : point.label)
